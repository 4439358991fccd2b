import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useEffect } from 'react'

import { forgot } from '#providers/i18n/forgot.ts'
import { lockout } from '#providers/i18n/second-factor.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { useSession } from '#providers/session.ts'
import { entryState } from '#src/kit/browser/location.ts'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { StepHeading } from '#src/kit/layout/StepHeading.tsx'
import { Lockout } from '#src/kit/feedback/Lockout.tsx'
import { useMailRequest } from './useMailRequest.ts'

import { PublicForm } from './PublicForm.tsx'
import { PublicLink } from './PublicLink.tsx'

const loadQueries = () => import('./queries.ts')

type What = 'password' | 'organization'

/** Requests a mail for a forgotten password or organisation code (foundation §2). */
export function ForgotPage({ what }: { what: What }) {
  const texts = forgot[what]
  const { organisation } = useSession()
  const { register, emailProblem, busy, submit, sentTo, again, until, locked, problem } = useMailRequest({
    email: entryState().email,
    request: async (email) => {
      const { remindOfPassword, remindOfOrganisation } = await loadQueries()
      return what === 'password'
        ? remindOfPassword(email, organisation?.code ?? '')
        : remindOfOrganisation(email)
    },
    unexpected: forgot.unexpected,
  })
  useEffect(() => void loadQueries(), [])

  if (sentTo !== undefined) return <SentPage what={what} email={sentTo} onAgain={again} />
  return (
    <StandalonePage
      title={texts.title}
      product={signIn.product}
      {...(what === 'password' && { organisation: organisation?.config.displayName })}
    >
      <Typography variant="h1" gutterBottom>
        {texts.title}
      </Typography>
      <Lead>{texts.text}</Lead>
      <PublicForm
        onSubmit={submit}
        busy={busy}
        blocked={locked}
        label={texts.submit}
        busyLabel={forgot.submitting}
      >
        {until > 0 && <Lockout until={until} wait={lockout.wait} over={lockout.over} />}
        {problem && <Alert severity="error">{problem}</Alert>}
        <FormTextField
          label={forgot.email}
          type="email"
          field={register('email', { validate: async (typed) => (await loadQueries()).emailProblem(typed) })}
          problem={emailProblem}
          autoFocus
          autoComplete="username"
          inputProps={{ required: true }}
        />
      </PublicForm>
      <BackLink what={what} />
    </StandalonePage>
  )
}

/** One text for every address, so that it does not reveal accounts. */
function SentPage({ what, email, onAgain }: { what: What; email: string; onAgain: () => void }) {
  const { organisation } = useSession()
  return (
    <StandalonePage
      title={forgot.sentTitle}
      product={signIn.product}
      {...(what === 'password' && { organisation: organisation?.config.displayName })}
    >
      <StepHeading>{forgot.sentTitle}</StepHeading>
      <Lead>
        {forgot.sentTo} <strong>{email}</strong>
        {forgot[what].sent}
      </Lead>
      <Lead>{forgot.spam}</Lead>
      <Box sx={{ mt: 3 }}>
        <Link component="button" type="button" variant="subtitle1" onClick={onAgain}>
          {forgot.again}
        </Link>
      </Box>
      <BackLink what={what} />
    </StandalonePage>
  )
}

const BackLink = ({ what }: { what: What }) => (
  <CardFooter>
    <PublicLink {...(what === 'password' ? { to: '/login' } : { to: '/setup', state: { change: true } })}>
      {forgot[what].back}
    </PublicLink>
  </CardFooter>
)
