import { useWantedCall } from '#providers/calls/useCalls.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

/** Asks before leaving a call for another one, or moving it here from another tab (operations §4). */
export function WantedCall() {
  const text = useText()
  const wanted = useWantedCall()
  if (!wanted) return null
  const { kind, title } = wanted
  return (
    <ConfirmDialog
      open
      title={text(kind === 'move' ? 'calls.elsewhere' : 'calls.another')}
      text={text(`calls.wanted.${kind}`, { title })}
      submitLabel={text(`calls.confirm.${kind}`)}
      cancelLabel={text('calls.stay')}
      onSubmit={() => wanted.confirm()}
      onClose={() => wanted.cancel()}
    />
  )
}
