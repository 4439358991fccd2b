import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useId, useState } from 'react'

import { playbooksApi } from '#contract/playbooks/api.ts'
import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'
import { useCategories } from '../useCategories.ts'

import { CategorySelect } from './CategorySelect.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'

interface OpenProps {
  playbook: PlaybookSummary
  onClose: () => void
}

interface Problem {
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** Moves a playbook. Reports a save of somebody else; the next press moves the newer version. */
function useMove({ playbook, onClose }: OpenProps, categoryId: string | null) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const [version, setVersion] = useState(playbook.version)
  const [problem, setProblem] = useState<Problem>()
  const move = async () => {
    setProblem(undefined)
    const params = { id: playbook.id }
    try {
      await call(playbooksApi.changeCategory, { params, body: { categoryId, version } })
      notify(text('playbookDialogs.saved'), { type: 'success' })
      onClose()
    } catch (error) {
      const message = messageOf(error, text('kit.wentWrong'))
      if (error instanceof HttpProblem && error.body.code === 'stale') {
        setVersion((await call(playbooksApi.get, { params })).version)
        setProblem({ severity: 'warning', message: `${message} ${text('playbookDialogs.saveAgain')}` })
      } else setProblem({ severity: 'error', message })
    } finally {
      void client.invalidateQueries({ queryKey: ['playbooks'] })
      void client.invalidateQueries({ queryKey: ['playbook-categories'] })
    }
  }
  const { busy, submit } = useSubmitOnce(move, () =>
    setProblem({ severity: 'error', message: text('kit.wentWrong') }),
  )
  return { busy, submit, problem }
}

function OpenDialog({ playbook, onClose }: OpenProps) {
  const text = useText()
  const formId = useId()
  const categories = useCategories()
  const [categoryId, setCategoryId] = useState(playbook.categoryId)
  const { busy, submit, problem } = useMove({ playbook, onClose }, categoryId)
  const close = () => {
    if (!busy) onClose()
  }
  return (
    <DialogFrame
      title={text('playbookDialogs.changeCategory')}
      isShort
      onClose={close}
      actions={
        <>
          <CancelButton onClick={close} disabled={busy} />
          <SubmitButton
            form={formId}
            label={text('playbookDialogs.save')}
            busyLabel={text('playbookDialogs.saving')}
            busy={busy}
            disabled={categories.data === undefined || categoryId === playbook.categoryId}
          />
        </>
      }
    >
      <Box dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
        {playbook.name}
      </Box>
      {categories.data ? (
        <form
          id={formId}
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <CategorySelect
            label={text('playbookDialogs.category')}
            categories={categories.data}
            value={categoryId}
            onChange={(chosen) => setCategoryId(chosen ?? null)}
          />
        </form>
      ) : (
        <Awaiting queries={[categories]} height={56} />
      )}
      {problem && <Alert severity={problem.severity}>{problem.message}</Alert>}
    </DialogFrame>
  )
}

interface Props extends OpenProps {
  open: boolean
}

/** Moves a playbook to another category, or to none (operations §2 "Change Category for Playbook"). */
export const ChangeCategoryDialog = ({ open, ...props }: Props) => open && <OpenDialog {...props} />
