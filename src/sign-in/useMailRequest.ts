import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useSecondsUntil } from '#src/kit/time/Countdown.tsx'

import type { MailResult } from './requestMail.ts'

interface Options {
  /** Initial address. */
  readonly email?: string | undefined
  readonly request: (email: string) => Promise<MailResult>
  /** Message for an unknown failure. */
  readonly unexpected: string
}

/** The form of a public page that requests a mail. `sentTo` is its recipient. */
export function useMailRequest({ email = '', request, unexpected }: Options) {
  const [sentTo, setSentTo] = useState<string>()
  const [until, setUntil] = useState(0)
  const [problem, setProblem] = useState<string>()
  const locked = useSecondsUntil(until) > 0
  const { register, handleSubmit, reset, setError, setFocus, formState } = useForm({
    defaultValues: { email },
  })
  const { busy, submit } = useSubmitOnce(
    handleSubmit(async (values) => {
      const result = await request(values.email)
      setUntil(result.kind === 'locked' ? result.until : 0)
      setProblem(result.kind === 'failed' ? unexpected : undefined)
      if (result.kind === 'sent') {
        reset({ email: result.email })
        return setSentTo(result.email)
      }
      if (result.kind === 'refused') setError('email', { message: result.message })
      return setFocus('email')
    }),
    () => setProblem(unexpected),
  )
  const again = () => setSentTo(undefined)
  return {
    register,
    emailProblem: formState.errors.email?.message,
    busy,
    submit,
    sentTo,
    again,
    until,
    locked,
    problem,
  }
}
