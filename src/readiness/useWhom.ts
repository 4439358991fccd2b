import { useState } from 'react'

import { TYPE_REQUIRED } from '#contract/mass-notifications/schema.ts'
import { GROUP_REQUIRED } from '#contract/readiness/schema.ts'
import { fieldProblems } from './problems.ts'
import type { Whom } from './WhomFields.tsx'

/** The fields of a test, with what is wrong with them: by the form, and by the server. */
export function useWhom(first: Whom, error: unknown) {
  const [whom, setWhom] = useState(first)
  const [isTried, setTried] = useState(false)
  const own = {
    ...(!whom.everybody && whom.groups.length === 0 && { groupIds: GROUP_REQUIRED }),
    ...(whom.types.length === 0 && { types: TYPE_REQUIRED }),
  }
  const isComplete = Object.keys(own).length === 0
  return {
    whom,
    setWhom,
    problems: { ...fieldProblems(error), ...(isTried && own) },
    /** Returns false, and shows what is missing, for a form that cannot be sent. */
    check: () => {
      setTried(true)
      return isComplete
    },
  }
}
