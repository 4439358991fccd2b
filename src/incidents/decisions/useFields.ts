import { useState } from 'react'

import { SOMETHING_WENT_WRONG } from '#contract/kit/text.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'

/**
 * Values of a dialog with the problems of the last save. Problems of a list's items stand at the list.
 * @param save resolves to false where nothing was sent; `refuse` takes the sentences of fields
 */
export function useFields<Values extends object>(
  initial: Values,
  save: (
    values: Values,
    refuse: (problems: { readonly [field: string]: string }) => void,
  ) => Promise<boolean>,
) {
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<{ readonly [field: string]: string | undefined }>({})
  /** Saves; resolves to true once saved. */
  const attempt = async (): Promise<boolean> => {
    setProblems({})
    try {
      return await save(values, setProblems)
    } catch (error) {
      const fields = error instanceof HttpProblem ? error.body.fields : undefined
      const ofLists = Object.entries(fields ?? {}).map(([path, sentence]) => [path.split('.')[0]!, sentence])
      setProblems(
        fields
          ? (Object.fromEntries(ofLists) as Record<string, string>)
          : { form: messageOf(error, SOMETHING_WENT_WRONG) },
      )
      return false
    }
  }
  const change = (changes: Partial<Values>) => setValues((now) => ({ ...now, ...changes }))
  /** Props of the field of a value. */
  const bind = <Name extends keyof Values & string>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => setValues((now) => ({ ...now, [name]: value })),
    problem: problems[name],
  })
  const isChanged = JSON.stringify(values) !== JSON.stringify(initial)
  return { values, change, bind, problem: problems['form'], attempt, isChanged }
}
