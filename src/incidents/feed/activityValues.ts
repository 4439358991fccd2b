import {
  type Activity,
  type ChildActivity,
  DESCRIPTION_REQUIRED,
  NewActivity,
  type Priority,
  UPDATE_DESCRIPTION_REQUIRED,
} from '#contract/incidents/schema.ts'

import { localTime, momentOf } from '#src/kit/time/localTime.ts'
import { minutesOf, type TypedTime, typedTime } from '#src/playbooks/typedTime.ts'
import type { ActivityBody } from '../queries.ts'

/** The values of the form's fields. */
export interface ActivityValues {
  title: string
  description: string
  /** The description of a task as rich text; null for plain text. */
  formattedDescription: string | null
  priority: Priority
  assignedTo: string | null
  idealTitleToExecute: string
  expected: TypedTime
  /** Local time by which the task should be complete, to the minute; empty for none. */
  due: string
}
const BLANK: ActivityValues = {
  title: '',
  description: '',
  formattedDescription: null,
  priority: 'MEDIUM',
  assignedTo: null,
  idealTitleToExecute: '',
  expected: { amount: '', unit: 'MINUTES' },
  due: '',
}

/** The kind of activity in the form: a task, an update of the incident, or an update below a task. */
export type ActivityKind = 'TASK' | 'UPDATE' | 'BELOW'
/** The initial values of the form. */
export type InitialActivity = Partial<
  Pick<
    Activity,
    | 'title'
    | 'formattedDescription'
    | 'priority'
    | 'idealTitleToExecute'
    | 'expectedTimeToComplete'
    | 'dueTimestamp'
  >
> &
  Pick<ChildActivity, 'description'> & {
    assignedTo?: { email: string } | null
    attachedFileIds?: readonly string[]
    version?: number
  }

export const valuesOf = (written: InitialActivity | undefined): ActivityValues =>
  written
    ? {
        title: written.title ?? '',
        description: written.description,
        formattedDescription: written.formattedDescription ?? null,
        priority: written.priority ?? 'MEDIUM',
        assignedTo: written.assignedTo?.email ?? null,
        idealTitleToExecute: written.idealTitleToExecute ?? '',
        expected: typedTime(written.expectedTimeToComplete ?? null),
        due: localTime(written.dueTimestamp),
      }
    : BLANK
export const NO_FILES: readonly string[] = []
export const hasSameFiles = (one: readonly string[] = NO_FILES, other: readonly string[] = NO_FILES) =>
  one.join() === other.join()
export const hasSameValues = (one: InitialActivity, other: InitialActivity) =>
  JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))

/** The initial activity reduced to the form's fields, to be kept with a draft. */
export const keptOf = (written: InitialActivity): InitialActivity => ({
  title: written.title ?? '',
  description: written.description,
  formattedDescription: written.formattedDescription ?? null,
  priority: written.priority ?? 'MEDIUM',
  assignedTo: written.assignedTo ? { email: written.assignedTo.email } : null,
  idealTitleToExecute: written.idealTitleToExecute ?? null,
  expectedTimeToComplete: written.expectedTimeToComplete ?? null,
  dueTimestamp: written.dueTimestamp ?? null,
  ...(written.attachedFileIds && { attachedFileIds: written.attachedFileIds }),
  ...(written.version !== undefined && { version: written.version }),
})

/** The activity's fields without its type and parent. */
export type ActivityFields = Omit<ActivityBody, 'type' | 'parentActivityId'>

/** @param was the values before; a due time that stays is left out, because the form knows it to the minute only */
export function fieldsOf(
  kind: ActivityKind,
  values: ActivityValues,
  was: Pick<ActivityValues, 'due'> = BLANK,
): ActivityFields {
  const { title, description, formattedDescription, priority, assignedTo } = values
  const { idealTitleToExecute, expected } = values
  if (kind === 'BELOW') return { description }
  if (kind === 'UPDATE') return { title: title.trim(), description }
  return {
    title: title.trim(),
    // The server derives the words of rich text.
    ...(formattedDescription === null ? { description } : { formattedDescription }),
    priority,
    assignedTo,
    idealTitleToExecute: idealTitleToExecute.trim() || null,
    expectedTimeToComplete: minutesOf(expected),
    // A draft of an earlier release has none.
    ...((values.due ?? was.due) !== was.due && { dueTimestamp: dueOf(values.due) }),
  }
}

/** The due time; a text that is none is refused by the contract. */
const dueOf = (due: string): string | null => (due === '' ? null : (momentOf(due) ?? due))

/** The form's field for a path of the request's body. */
export const fieldOf = (path: string): keyof ActivityValues | undefined =>
  path === 'expectedTimeToComplete'
    ? 'expected'
    : path === 'dueTimestamp'
      ? 'due'
      : path in BLANK
        ? (path as keyof ActivityValues)
        : undefined

/** The contract's first message for each refused field. */
export function problemsOf(kind: ActivityKind, values: ActivityValues, inline: boolean) {
  const problems = new Map<keyof ActivityValues, string>()
  const body = { type: kind === 'TASK' ? 'TASK' : 'UPDATE', ...fieldsOf(kind, values) }
  for (const { path, message } of NewActivity.safeParse(body).error?.issues ?? []) {
    const field = fieldOf(String(path[0]))
    if (!field || problems.has(field)) continue
    const isNewUpdate = !inline && message === UPDATE_DESCRIPTION_REQUIRED
    problems.set(field, isNewUpdate ? DESCRIPTION_REQUIRED : message)
  }
  return problems
}
