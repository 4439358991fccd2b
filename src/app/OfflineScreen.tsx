import { plain as texts } from '#providers/i18n/plain.ts'
import { PlainPage } from '#src/kit/layout/PlainPage.tsx'

/** Stands in for everything while the device is offline. */
export function OfflineScreen() {
  return (
    <PlainPage title={texts.offline} product={texts.name}>
      <div role="alert">
        <h1>{texts.offline}</h1>
        <p className="plain-lead">{texts.offlineText}</p>
      </div>
    </PlainPage>
  )
}
