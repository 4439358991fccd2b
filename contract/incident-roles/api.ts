import * as z from 'zod/mini'

import { defineApi } from '#contract/kit/endpoint.ts'
import { plainApi } from '#contract/kit/plain-api.ts'
import { wholeNumber } from '#contract/kit/query.ts'
import { ById, id } from '#contract/kit/text.ts'

import { incidentRolesAccess } from './access.ts'
import {
  Command,
  CommandRole,
  HeldRole,
  HOLDINGS_PAGE_MAX,
  NextUpdate,
  NextUpdateChange,
  RoleHandover,
  RoleHolding,
  roleInputs,
  RoleRelease,
} from './schema.ts'

const { read, write, administer } = incidentRolesAccess

/** The organisation's list of roles. */
export const roleRecords = plainApi({
  access: administer,
  paths: { list: '/incidentRoles', item: '/incidentRole' },
  label: { one: 'role', many: 'roles in incidents' },
  item: CommandRole,
  inputs: roleInputs,
  sortFields: ['position', 'name', 'updateTimestamp'],
})

const RoleInIncident = z.object({ id, roleId: id })

/** Roles of incidents, their holders, and the rhythm of updates (decision 114). */
export const incidentRolesApi = defineApi({
  ...roleRecords,
  remove: { ...roleRecords.remove, errors: { 409: 'Somebody holds it in a running incident.' } },
  command: {
    method: 'GET',
    path: '/incident/:id/command',
    access: read,
    summary: 'Who holds which role in an incident, and when the next update is due. Not for external people.',
    params: ById,
    reply: Command,
  },
  handOver: {
    method: 'PUT',
    path: '/incident/:id/command/role/:roleId',
    access: write,
    summary:
      'Takes a role, gives it to a colleague, or hands it over with a statement. Open tasks with its title follow.',
    params: RoleInIncident,
    body: RoleHandover,
    reply: HeldRole,
    errors: { 409: 'Somebody else holds the role now, it is retired, or the incident is resolved.' },
  },
  release: {
    method: 'POST',
    path: '/incident/:id/command/role/:roleId/release',
    access: write,
    summary: 'Ends the time of the holder of a role. A role that nobody holds stays so.',
    params: RoleInIncident,
    body: RoleRelease,
    reply: HeldRole,
    errors: { 409: 'Somebody else holds the role now, or the incident is resolved.' },
  },
  holdings: {
    method: 'GET',
    path: '/incident/:id/command/holdings',
    access: read,
    summary:
      'Who held the roles of an incident from when to when, the newest first. Not for external people.',
    params: ById,
    query: z.object({
      /** Only one role. */
      roleId: z.optional(id),
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(HOLDINGS_PAGE_MAX, 1, HOLDINGS_PAGE_MAX),
    }),
    reply: z.object({ data: z.array(RoleHolding), total: z.int() }),
  },
  setNextUpdate: {
    method: 'PUT',
    path: '/incident/:id/command/nextUpdate',
    access: write,
    summary:
      'Sets the time of the next update by hand, until an update follows. For those who lead, who declared the incident, and administrators.',
    params: ById,
    body: NextUpdateChange,
    reply: NextUpdate,
    errors: { 409: 'The incident is resolved, or somebody else set the time meanwhile.' },
  },
})
