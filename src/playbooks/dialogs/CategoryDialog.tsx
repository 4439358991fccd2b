import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useRef, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'

import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import { NewCategory, type PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import { call } from '#providers/api.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import { NameDialog, type Notice } from '#src/kit/form/NameDialog.tsx'
import { useText } from '#src/kit/useText.ts'

interface Draft {
  name: string
}
const draftOf = (category: PlaybookCategory | null): Draft => ({ name: category?.name ?? '' })

/** Saves a category. A name conflict is shown at the field; on a stale save the newer category is merged into the form. */
function useSaveCategory(opened: PlaybookCategory | null, form: UseFormReturn<Draft>) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const [notice, setNotice] = useState<Notice>()
  const base = useRef(opened)

  const takeNewer = async (refusal: string, { id }: PlaybookCategory) => {
    const categories = await call(playbookCategoriesApi.list, { query: { withPlaybooks: 'false' } })
    const newer = categories.find((one) => one.id === id)
    if (!newer) return setNotice({ severity: 'error', message: text('grid.gone') })
    if (takeLatest(form, draftOf(base.current), draftOf(newer)).length > 0)
      form.setError('name', { message: text('grid.newerWins', { value: newer.name }) })
    base.current = newer
    setNotice({ severity: 'warning', message: `${refusal} ${text('grid.newerLoaded')}` })
  }
  const refuse = async (error: unknown) => {
    const message = messageOf(error, text('kit.wentWrong'))
    const { status, body } = error instanceof HttpProblem ? error : { status: 0, body: {} }
    if (body.code === 'stale' && base.current) return takeNewer(message, base.current)
    const atName = body.fields?.['name'] ?? (status === 409 ? message : undefined)
    if (atName === undefined) setNotice({ severity: 'error', message })
    else form.setError('name', { type: 'server', message: atName }, { shouldFocus: true })
  }
  const save = async ({ name }: Draft): Promise<boolean> => {
    setNotice(undefined)
    try {
      const { current } = base
      await (current
        ? call(playbookCategoriesApi.update, {
            params: { id: current.id },
            body: { name, version: current.version },
          })
        : call(playbookCategoriesApi.create, { body: { name } }))
      void client.invalidateQueries({ queryKey: ['playbook-categories'] })
      notify(text(current ? 'playbookDialogs.saved' : 'playbookDialogs.categoryCreated'), { type: 'success' })
      return true
    } catch (error) {
      await refuse(error).catch(() => setNotice({ severity: 'error', message: text('kit.wentWrong') }))
      return false
    }
  }
  return { save, notice }
}

interface OpenProps {
  /** Null for a new category. */
  category: PlaybookCategory | null
  onClose: () => void
}

function OpenDialog({ category, onClose }: OpenProps) {
  const text = useText()
  const form = useForm<Draft>({
    defaultValues: draftOf(category),
    resolver: standardSchemaResolver(NewCategory),
  })
  return (
    <NameDialog
      title={text(category ? 'playbookDialogs.editCategory' : 'playbookDialogs.createCategory')}
      label={text('playbookDialogs.categoryName')}
      submitLabel={text(category ? 'playbookDialogs.save' : 'playbookDialogs.create')}
      busyLabel={text(category ? 'playbookDialogs.saving' : 'playbookDialogs.creating')}
      form={form}
      {...useSaveCategory(category, form)}
      onClose={onClose}
    />
  )
}

interface Props extends OpenProps {
  open: boolean
}

/** Creates or renames a category (operations §2, §5 "Playbooks"). */
export const CategoryDialog = ({ open, ...props }: Props) => open && <OpenDialog {...props} />
