import Alert from '@mui/material/Alert'
import Typography from '@mui/material/Typography'
import { Suspense, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'

import type { LinkDoor, LinkVisit } from '#contract/file-links/schema.ts'
import { linkPage as texts } from '#providers/i18n/link-page.ts'
import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useHash } from '#src/kit/browser/location.ts'
import { Boot } from '#src/kit/feedback/Boot.tsx'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { PublicForm } from '#src/sign-in/PublicForm.tsx'

import { lookAtLink, openLink } from './visitQueries.ts'

const LinkContents = lazy(async () => ({ default: (await import('./LinkContents.tsx')).LinkContents }))
const DropBox = lazy(async () => ({ default: (await import('./DropBox.tsx')).DropBox }))

interface DoorProps {
  token: string
  door: LinkDoor
  onOpen: (visit: LinkVisit) => void
  onGone: (reason: string) => void
}

/** Asks for the passcode, and for the name of somebody who sends files. */
function Door({ token, door, onOpen, onGone }: DoorProps) {
  const isUp = door.direction === 'UP'
  const form = useForm({ defaultValues: { passcode: '', visitor: '' } })
  const [problem, setProblem] = useState<string>()
  const { errors, isSubmitting } = form.formState
  const open = form.handleSubmit(async ({ passcode, visitor }) => {
    setProblem(undefined)
    try {
      onOpen(await openLink(token, passcode, visitor))
    } catch (error) {
      if (statusOf(error) === 404) return onGone(messageOf(error, texts.unexpected))
      const fields = error instanceof HttpProblem ? (error.body.fields ?? {}) : {}
      for (const field of ['visitor', 'passcode'] as const)
        if (fields[field]) form.setError(field, { message: fields[field] }, { shouldFocus: true })
      if (Object.keys(fields).length === 0) setProblem(messageOf(error, texts.unexpected))
    }
  })
  const title = isUp ? texts.titleUp : texts.title
  return (
    <StandalonePage title={title} product={texts.product} organisation={door.organisation}>
      <Typography variant="h1" gutterBottom>
        {title}
      </Typography>
      <Lead>{texts.lead}</Lead>
      <PublicForm
        onSubmit={() => void open()}
        busy={isSubmitting}
        label={texts.open}
        busyLabel={texts.opening}
      >
        {problem && <Alert severity="error">{problem}</Alert>}
        {isUp && (
          <FormTextField
            label={texts.visitor}
            field={form.register('visitor')}
            problem={errors.visitor?.message}
            autoComplete="name"
            inputProps={{ dir: 'auto' }}
          />
        )}
        <FormTextField
          label={texts.passcode}
          field={form.register('passcode')}
          problem={errors.passcode?.message}
          autoComplete="off"
          autoFocus
          inputProps={{ dir: 'ltr', spellCheck: false, autoCapitalize: 'none' }}
        />
      </PublicForm>
    </StandalonePage>
  )
}

function OneLink({ token }: { token: string }) {
  const [door, setDoor] = useState<LinkDoor>()
  const [visit, setVisit] = useState<LinkVisit>()
  const [gone, setGone] = useState<string>()
  useEffect(() => {
    lookAtLink(token).then(setDoor, (error: unknown) => setGone(messageOf(error, texts.unexpected)))
  }, [token])
  if (gone !== undefined)
    return (
      <StandalonePage title={texts.goneTitle} product={texts.product}>
        <Typography variant="h1" gutterBottom>
          {texts.goneTitle}
        </Typography>
        <Lead>{gone}</Lead>
      </StandalonePage>
    )
  if (!door) return <Boot />
  if (!visit) return <Door token={token} door={door} onOpen={setVisit} onGone={setGone} />
  const Contents = visit.direction === 'UP' ? DropBox : LinkContents
  return (
    <StandalonePage
      title={visit.item.name}
      product={texts.product}
      organisation={visit.organisation}
      width={640}
    >
      <Suspense fallback={<Boot />}>
        <Contents visit={visit} onOver={() => setVisit(undefined)} />
      </Suspense>
    </StandalonePage>
  )
}

/**
 * The page of a link for people without an account. The token is in the fragment, which browsers send to nobody.
 * Another link that is entered in the same tab loads no page, so that the fragment is followed.
 */
export function LinkPage() {
  const token = useHash().slice(1)
  return <OneLink key={token} token={token} />
}
