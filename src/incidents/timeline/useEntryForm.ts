import { useState } from 'react'

import { ENTRY_REQUIRED } from '#contract/incident-timeline/schema.ts'
import { isBlank, SOMETHING_WENT_WRONG } from '#contract/kit/text.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { isLocalTime } from '#src/kit/time/localTime.ts'

export interface EntryValues {
  readonly text: string
  /** As `MomentField` holds it. */
  readonly when: string
}
type Problems = { readonly [field in 'text' | 'happenedTimestamp' | 'form']?: string }

/** Values of an entry's form, with the problems of the last save. */
export function useEntryForm(initial: EntryValues, save: (values: EntryValues) => Promise<void>) {
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<Problems>({})
  const { busy, submit } = useSubmitOnce(async () => {
    if (isBlank(values.text)) return setProblems({ text: ENTRY_REQUIRED })
    // The field itself says that it does not read the text.
    if (values.when !== '' && !isLocalTime(values.when)) return
    setProblems({})
    try {
      await save(values)
      setValues(initial)
    } catch (error) {
      const fields = error instanceof HttpProblem ? error.body.fields : undefined
      setProblems(fields ?? { form: messageOf(error, SOMETHING_WENT_WRONG) })
    }
  })
  const change = (changes: Partial<EntryValues>) => setValues((now) => ({ ...now, ...changes }))
  const reset = () => {
    setValues(initial)
    setProblems({})
  }
  return { values, change, problems, busy, submit, reset }
}
