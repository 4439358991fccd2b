import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import type { Declared, PlaybookForIncident } from '#contract/playbooks/rules.ts'
import { messageOf } from '#providers/problem.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { PlaybookPicker } from '../playbooks/PlaybookPicker.tsx'
import { useOpenPlaybook } from '../playbooks/queries.ts'

interface Props {
  value: PlaybookForIncident | null
  onChange: (playbook: PlaybookForIncident | null) => void
  /** True if choosing a playbook would replace input. */
  replaces: () => boolean
  /** The input that playbooks are proposed for. */
  declared: Declared
}

/**
 * Chooses the playbook of a new incident: it fills the description, the first tasks and the files. The
 * address may preselect one.
 */
export function PlaybookField({ value, onChange, replaces, declared }: Props) {
  const text = useText()
  const open = useOpenPlaybook()
  const [search] = useSearchParams()
  const linked = useRef(search.get('playbook'))
  const [asked, setAsked] = useState<PlaybookForIncident | null>(null)
  const [problem, setProblem] = useState<string>()

  const choose = async (chosen: { readonly id: string } | null) => {
    setProblem(undefined)
    if (!chosen) return onChange(null)
    try {
      const playbook = await open(chosen.id)
      if (replaces()) setAsked(playbook)
      else onChange(playbook)
    } catch (error) {
      setProblem(messageOf(error, text('kit.wentWrong')))
    }
  }
  const chooseLinked = useEffectEvent(() => {
    const id = linked.current
    linked.current = null
    if (id && !value) void choose({ id })
  })
  useEffect(() => chooseLinked(), [])
  return (
    <>
      <PlaybookPicker
        value={value}
        onChange={(chosen) => void choose(chosen)}
        help={text('incidents.playbookText')}
        declared={declared}
        error={problem}
      />
      <ConfirmDialog
        open={asked !== null}
        title={text('incidents.playbookTitle')}
        text={text('incidents.playbookReplaces', { name: asked?.name ?? '' })}
        submitLabel={text('incidents.playbookSubmit')}
        onSubmit={() => onChange(asked)}
        onClose={() => setAsked(null)}
      />
    </>
  )
}
