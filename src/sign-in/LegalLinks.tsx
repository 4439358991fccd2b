import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { PlainLink } from '#src/kit/layout/PlainLink.tsx'

/** At the foot of the first pages that anybody sees. */
export const LegalLinks = () => (
  <p className="plain-foot">
    <PlainLink to="/privacy">{texts.privacy}</PlainLink>
    <PlainLink to="/terms">{texts.terms}</PlainLink>
  </p>
)
