import { type ComponentProps, useState } from 'react'

import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { PlainField } from '#src/kit/layout/PlainField.tsx'

const EYE = 'M12 5C7 5 2.7 8.1 1 12.5 2.7 16.9 7 20 12 20s9.3-3.1 11-7.5C21.3 8.1 17 5 12 5Z'

/** A password that can be looked at while it is typed. */
export function PasswordField(props: Omit<ComponentProps<typeof PlainField>, 'type' | 'side'>) {
  const [shown, setShown] = useState(false)
  const toggle = (
    <button
      type="button"
      className="field-side"
      aria-label={shown ? texts.hidePassword : texts.showPassword}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
    >
      <svg
        width="20"
        height="20"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden="true"
      >
        <path d={EYE} />
        <circle cx="12" cy="12.5" r="3.2" />
        {shown && <path d="M3 3l18 18" strokeLinecap="round" />}
      </svg>
    </button>
  )
  return <PlainField {...props} type={shown ? 'text' : 'password'} side={toggle} />
}
