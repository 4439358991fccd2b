import { useEffect } from 'react'

import { reportCaught } from '#providers/errorReporting.ts'
import { plain as texts } from '#providers/i18n/plain.ts'
import { PlainPage } from '#src/kit/layout/PlainPage.tsx'

const signInAgain = async () => {
  const { signOut } = await import('#providers/send.ts')
  await signOut()
  location.assign('/login')
}

/** Stands in for everything after an error that nothing else caught, and reports it. */
export function OopsScreen({ error }: { error?: unknown }) {
  useEffect(() => void reportCaught(error), [error])
  return (
    <PlainPage title={texts.oops} product={texts.name}>
      <div role="alert">
        <h1>{texts.oops}</h1>
        <p className="plain-lead">
          {texts.oopsText}{' '}
          <a
            href={location.pathname}
            onClick={(event) => {
              event.preventDefault()
              location.reload()
            }}
          >
            {texts.oopsReload}
          </a>
        </p>
      </div>
      <p className="plain-facts">
        <a
          href="/login"
          onClick={(event) => {
            event.preventDefault()
            void signInAgain()
          }}
        >
          {texts.oopsSignIn}
        </a>
      </p>
    </PlainPage>
  )
}
