import { HttpProblem } from '#providers/problem.ts'

const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof HttpProblem ? (error.body.fields ?? {}) : {}

/** The server's sentences at the fields of a test; those at single groups stand at the field of all. */
export const fieldProblems = (error: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(error)).map(([path, sentence]) => [path.split('.')[0] ?? path, sentence]),
  )
/** True for a problem that stands at a field of the form. */
export const hasFields = (error: unknown): boolean =>
  Object.keys(fieldProblems(error)).some((field) => field === 'groupIds' || field === 'types')
