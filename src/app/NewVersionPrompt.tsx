import { update } from '#providers/update.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

/** Asks whether to load a newer version now. */
export function NewVersionPrompt() {
  const text = useText()
  return (
    <ConfirmDialog
      open
      title={text('app.newVersion')}
      text={text('app.newVersionText')}
      submitLabel={text('app.update')}
      cancelLabel={text('app.dismiss')}
      onSubmit={() => update.bring()}
      onClose={() => update.dismiss()}
    />
  )
}
