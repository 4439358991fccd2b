import './password-checklist.css'

import { useId } from 'react'

import { passwordRules } from '#contract/sessions/rules.ts'
import { setPassword as texts } from '#providers/i18n/set-password.ts'

/** The rules of a new password and whether each is fulfilled (foundation §5). */
export function passwordChecks(password: string, confirmation: string) {
  return [
    ...passwordRules.map(({ id, holds }) => ({ id, holds: password !== '' && holds(password) })),
    { id: 'match' as const, holds: password !== '' && password === confirmation },
  ]
}

/** What a new password needs, ticked as it is typed. */
export function PasswordChecklist({ password, confirmation }: { password: string; confirmation: string }) {
  const titleId = useId()
  return (
    <div className="checklist">
      <p id={titleId}>{texts.rules}</p>
      <ul aria-labelledby={titleId}>
        {passwordChecks(password, confirmation).map(({ id, holds }) => (
          <li key={id} data-holds={holds}>
            {texts.rule[id]} <span className="checklist-unseen">{holds ? texts.holds : texts.open}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
