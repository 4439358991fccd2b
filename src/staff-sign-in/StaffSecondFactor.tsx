import type { PendingStaff } from '#contract/staff/schema.ts'
import { staffSignIn as texts } from '#providers/i18n/staff-sign-in.ts'
import { go } from '#src/kit/browser/location.ts'
import { STAFF_SIGN_IN } from '#src/sign-in/publicRoutes.ts'
import { AuthenticatorSignIn } from '#src/verifications/second-factor/AuthenticatorSignIn.tsx'

import { beginEnrolment, confirmCode, enter } from './queries.ts'

/** The step after the link: a code of the authenticator app, or its setup. A reload needs another link. */
export const StaffSecondFactor = ({
  pending,
  onExpired,
}: {
  pending: PendingStaff
  onExpired: () => void
}) => (
  <AuthenticatorSignIn
    page={{ product: texts.product, organisation: undefined }}
    email={pending.email}
    initialized={pending.initialized}
    enrolLead={texts.enrol}
    beginEnrolment={() => beginEnrolment(pending)}
    confirm={(code, enrols) => confirmCode(pending, code, enrols)}
    onEnter={(session) => {
      enter(session)
      go('/management/organizations', { replace: true })
    }}
    onCancel={() => go(STAFF_SIGN_IN, { replace: true })}
    onExpired={onExpired}
  />
)
