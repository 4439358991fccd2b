import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { plainApi } from '#contract/kit/plain-api.ts'
import { ById } from '#contract/kit/text.ts'

import { dutiesAccess } from './access.ts'
import {
  ClockChanges,
  ClocksStart,
  ClockVersion,
  Duty,
  DutyClock,
  DutyClocks,
  dutyInputs,
  Filing,
  NotNeeded,
} from './schema.ts'

const { read, write, administer } = dutiesAccess
const errors = { 409: 'The clock is in another state, or somebody else changed it meanwhile.' }

/** The organisation's list of duties. */
export const dutyRecords = plainApi({
  access: administer,
  paths: { list: '/duties', item: '/duty' },
  label: { one: 'duty', many: 'duties to file within hours' },
  item: Duty,
  inputs: dutyInputs,
  sortFields: ['hours', 'name', 'updateTimestamp'],
})

/** Duties with their clocks in incidents (decision 123). Not for external people. */
export const dutiesApi = defineApi({
  ...dutyRecords,
  clocks: {
    method: 'GET',
    path: '/incident/:id/duties',
    access: read,
    summary: 'The clocks of an incident by due time, and the duties that can still be started.',
    params: ById,
    reply: DutyClocks,
  },
  start: {
    method: 'POST',
    path: '/incident/:id/duties',
    access: write,
    summary: 'Starts clocks from a time of awareness. Those that are there already stay as they are.',
    params: ById,
    body: ClocksStart,
    reply: DutyClocks,
  },
  change: {
    method: 'PUT',
    path: '/incident/duty/:id',
    access: write,
    summary: 'Saves the draft of a running clock, its holder or its time of awareness.',
    params: ById,
    body: ClockChanges,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: DutyClock,
    errors,
  },
  file: {
    method: 'POST',
    path: '/incident/duty/:id/filed',
    access: write,
    summary: 'Ends a clock with the proof of what was filed.',
    params: ById,
    body: Filing,
    reply: DutyClock,
    errors,
  },
  setAside: {
    method: 'POST',
    path: '/incident/duty/:id/notNeeded',
    access: write,
    summary: 'Ends a clock that is not needed, with a reason.',
    params: ById,
    body: NotNeeded,
    reply: DutyClock,
    errors,
  },
  resume: {
    method: 'POST',
    path: '/incident/duty/:id/resume',
    access: write,
    summary: 'Lets an ended clock run again. The history keeps how it had ended.',
    params: ById,
    body: ClockVersion,
    reply: DutyClock,
    errors,
  },
})
