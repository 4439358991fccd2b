import type { TextKey } from '#providers/i18nProvider.ts'

import { lazy } from '../browser/lazy.ts'
import { useText } from '../useText.ts'

const CopyDialog = lazy(async () => ({ default: (await import('../feedback/CopyDialog.tsx')).CopyDialog }))

interface Texts {
  readonly copyTitle: TextKey
  /** With `name`. */
  readonly copyText: TextKey
  readonly copyLabel: TextKey
}
interface Props<Created> {
  created: Created
  onClose: () => void
}

/** The part after the creation of a record whose secret is shown only once. */
export const secretDialog = <Created extends { readonly name: string }>(
  { copyTitle, copyText, copyLabel }: Texts,
  secretOf: (created: Created) => string,
) =>
  function SecretDialog({ created, onClose }: Props<Created>) {
    const text = useText()
    return (
      <CopyDialog
        title={text(copyTitle)}
        text={text(copyText, { name: created.name })}
        label={text(copyLabel)}
        value={secretOf(created)}
        onClose={onClose}
      />
    )
  }
