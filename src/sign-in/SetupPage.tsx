import Typography from '@mui/material/Typography'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'

import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { useSession } from '#providers/session.ts'
import { go } from '#src/kit/browser/location.ts'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'

import { LegalLinks } from './LegalLinks.tsx'
import { PublicForm } from './PublicForm.tsx'
import { PublicLink } from './PublicLink.tsx'

const loadQueries = () => import('./queries.ts')

/** Organisation setup by a code that the registry resolves. */
export function SetupPage() {
  const { organisation } = useSession()
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { code: organisation?.code ?? '' },
  })
  const refuse = (message: string) => setError('code', { message }, { shouldFocus: true })
  const { busy, submit } = useSubmitOnce(
    handleSubmit(async ({ code }) => {
      const problem = await (await loadQueries()).setUp(code)
      if (problem === undefined) go('/login')
      else refuse(problem)
    }),
    () => refuse(texts.unexpected),
  )
  useEffect(() => void loadQueries(), [])
  return (
    <StandalonePage title={texts.setupTitle} product={texts.product} foot={<LegalLinks />}>
      <Typography variant="h1" gutterBottom>
        {texts.setupTitle}
      </Typography>
      <Lead>{texts.setupText}</Lead>
      <PublicForm onSubmit={submit} busy={busy} label={texts.continue} busyLabel={texts.connecting}>
        <FormTextField
          label={texts.organizationCode}
          field={register('code', {
            validate: async (code) => (await loadQueries()).organisationProblem(code),
          })}
          problem={formState.errors.code?.message}
          autoFocus
          autoComplete="organization"
          inputProps={{ required: true, autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }}
        />
      </PublicForm>
      <CardFooter>
        <PublicLink to="/forgot-org-code">{texts.forgotOrganization}</PublicLink>
      </CardFooter>
    </StandalonePage>
  )
}
