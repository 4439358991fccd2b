import { HttpProblem } from '#providers/problem.ts'

import { reportRefusal } from '../gate/refusalValues.ts'

/** Message of a refused change, and whether it belongs to the name field. */
export function refusalOf(error: unknown, fallback: string) {
  reportRefusal(error)
  if (!(error instanceof HttpProblem)) return { message: fallback, atName: false, isStale: false }
  const { status, body } = error
  const field = body.fields?.['name']
  return {
    status,
    message: field ?? (error.message || fallback),
    atName: field !== undefined,
    isStale: body.code === 'stale',
  }
}
