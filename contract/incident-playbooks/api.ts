import * as z from 'zod/mini'

import { BODY_LIMIT_LISTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, id } from '#contract/kit/text.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'

import {
  AddedPlaybook,
  DecidedCondition,
  IncidentCondition,
  IncidentPlaybook,
  IncidentRole,
  PlaybookUse,
  TaskUse,
} from './schema.ts'

/** The playbooks of an incident. */
export const incidentPlaybooksApi = defineApi({
  list: {
    method: 'GET',
    path: '/incident/:id/playbooks',
    access: incidentsAccess.read,
    summary: 'The playbooks that an incident began with or was given, oldest first.',
    params: ById,
    reply: z.array(IncidentPlaybook),
  },
  add: {
    method: 'POST',
    path: '/incident/:id/playbook',
    access: incidentsAccess.write,
    summary:
      'Adds the tasks of a playbook to a running incident, in order, with copies of its files. It also needs the permission to read playbooks.',
    params: ById,
    body: AddedPlaybook,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: IncidentPlaybook,
    status: 201,
    errors: { 409: 'The incident is resolved, or the playbook changed meanwhile.' },
  },
  decide: {
    method: 'PUT',
    path: '/incident/:id/condition/:conditionId',
    access: incidentsAccess.write,
    summary:
      'Answers a condition of a playbook: its tasks apply, are skipped with a reason, or wait for the answer again.',
    params: z.object({ id, conditionId: id }),
    body: DecidedCondition,
    reply: IncidentCondition,
    errors: { 409: 'The incident is resolved.' },
  },
  roles: {
    method: 'GET',
    path: '/incident/:id/roles',
    access: incidentsAccess.read,
    summary: 'The people for the ideal titles of the tasks of an incident, by title.',
    params: ById,
    reply: z.array(IncidentRole),
  },
  use: {
    method: 'GET',
    path: '/playbook/template/:id/use',
    access: playbooksAccess.read,
    summary: 'How often incidents and exercises used a playbook, and the last time.',
    params: ById,
    reply: PlaybookUse,
  },
  taskUse: {
    method: 'GET',
    path: '/playbook/template/:id/use/tasks',
    access: playbooksAccess.read,
    summary:
      'What became of the tasks of a playbook in resolved incidents and exercises, the most skipped first.',
    params: ById,
    query: listQuery(['skipped'], z.object({})),
    reply: list(TaskUse),
  },
})
