import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'

import { lockout } from '#providers/i18n/second-factor.ts'
import { staffSignIn as texts } from '#providers/i18n/staff-sign-in.ts'
import { useSession } from '#providers/session.ts'
import { FormSelectField } from '#src/kit/form/FormSelectField.tsx'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { StepHeading } from '#src/kit/layout/StepHeading.tsx'
import { Lockout } from '#src/kit/feedback/Lockout.tsx'
import { STAFF_SIGN_IN } from '#src/sign-in/publicRoutes.ts'
import { useMailRequest } from '#src/sign-in/useMailRequest.ts'

import { PublicForm } from '#src/sign-in/PublicForm.tsx'

const loadQueries = () => import('./queries.ts')

/** Name of this installation among the environments. */
const HERE = 'Local'
type Environments = Awaited<ReturnType<Awaited<ReturnType<typeof loadQueries>>['findEnvironments']>>

function useEnvironments(): Environments {
  const [environments, setEnvironments] = useState<Environments>([])
  useEffect(() => {
    // Without the list, the page offers only this installation.
    void loadQueries()
      .then(({ findEnvironments }) => findEnvironments())
      .then(setEnvironments, () => undefined)
  }, [])
  return environments
}

/** Chooses another installation's console: a link signs in at the installation that sent it. */
function EnvironmentField() {
  const environments = useEnvironments()
  const names = environments.length > 0 ? environments : [{ name: HERE, url: null }]
  return (
    <FormSelectField
      label={texts.environment}
      value={HERE}
      options={names.map(({ name, url }) => ({ value: name, disabled: name !== HERE && url === null }))}
      onChange={(chosen) => {
        const url = environments.find(({ name }) => name === chosen)?.url
        if (url) location.assign(new URL(STAFF_SIGN_IN, url))
      }}
    />
  )
}

/** Page where staff request a link to the console (administration §2.2, §5, §8). */
export function StaffSignInPage() {
  const { ending } = useSession()
  const { register, emailProblem, busy, submit, sentTo, again, until, locked, problem } = useMailRequest({
    request: async (email) => (await loadQueries()).requestLink(email),
    unexpected: texts.unexpected,
  })
  useEffect(() => void loadQueries(), [])

  if (sentTo !== undefined) return <SentPage email={sentTo} onAgain={again} />
  return (
    <StandalonePage title={texts.title} product={texts.product}>
      <Typography variant="h1" gutterBottom>
        {texts.title}
      </Typography>
      <Lead>{texts.text}</Lead>
      <PublicForm
        onSubmit={submit}
        busy={busy}
        blocked={locked}
        label={texts.submit}
        busyLabel={texts.submitting}
      >
        {ending === 'expired' && !problem && (
          <Alert severity="info" role="status">
            {texts.ended}
          </Alert>
        )}
        {until > 0 && <Lockout until={until} wait={lockout.wait} over={lockout.over} />}
        {problem && <Alert severity="error">{problem}</Alert>}
        <FormTextField
          label={texts.email}
          type="email"
          field={register('email', { validate: async (typed) => (await loadQueries()).emailProblem(typed) })}
          problem={emailProblem}
          autoFocus
          autoComplete="username"
          inputProps={{ required: true }}
        />
        <EnvironmentField />
      </PublicForm>
    </StandalonePage>
  )
}

/** One text for every address, so that it does not reveal who is staff. */
function SentPage({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <StandalonePage title={texts.sentTitle} product={texts.product}>
      <StepHeading>{texts.sentTitle}</StepHeading>
      <Lead>
        {texts.sentTo} <strong>{email}</strong>
        {texts.sent}
      </Lead>
      <Lead>{texts.close}</Lead>
      <Box sx={{ mt: 3 }}>
        <Link component="button" type="button" variant="subtitle1" onClick={onAgain}>
          {texts.again}
        </Link>
      </Box>
    </StandalonePage>
  )
}
