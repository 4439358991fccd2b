import * as z from 'zod/mini'

import { has } from '#contract/kit/access.ts'
import { BODY_LIMIT_LISTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery, truth } from '#contract/kit/query.ts'
import { ById, nothing, text } from '#contract/kit/text.ts'
import { UNDO_ERRORS } from '#contract/kit/undo.ts'
import { NamedPerson } from '#contract/users/schema.ts'

import { groupsAccess as access } from './access.ts'
import { Group, GroupChanges, GroupOption, GroupSummary, ListedGroup, NewGroup } from './schema.ts'

const reading = has('groups-read-only')
export const GROUP_SORT_FIELDS = ['name', 'updateTimestamp'] as const
export const MEMBER_SORT_FIELDS = ['firstName'] as const
const taken = 'The name is in use.'

/** Groups of people: their administration (administration §7.1), and lists to choose from (operations §7). */
export const groupsApi = defineApi({
  list: {
    method: 'GET',
    path: '/useradmin/groups',
    access,
    summary: 'All groups of the organisation, with their members. A page leaves the members out.',
    query: listQuery(
      GROUP_SORT_FIELDS,
      z.object({
        /** Part of a name or description. */
        q: z.optional(text()),
      }),
    ),
    limit: 'by query',
    reply: list(ListedGroup),
  },
  get: {
    method: 'GET',
    path: '/useradmin/group/:id',
    access,
    summary: 'One group.',
    params: ById,
    reply: Group,
  },
  summary: {
    method: 'GET',
    path: '/useradmin/group/:id/summary',
    access,
    summary: 'One group without its members.',
    params: ById,
    reply: GroupSummary,
  },
  members: {
    method: 'GET',
    path: '/useradmin/group/:id/members',
    access,
    summary: 'The members of a group in its order, or by name, archived ones included.',
    params: ById,
    query: listQuery(MEMBER_SORT_FIELDS, z.object({})),
    reply: list(NamedPerson),
  },
  create: {
    method: 'POST',
    path: '/useradmin/group',
    access,
    summary: 'Makes a group of people.',
    body: NewGroup,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: Group,
    status: 201,
    errors: { 409: taken },
  },
  update: {
    method: 'PUT',
    path: '/useradmin/group/:id',
    access,
    summary: 'Changes a group and who is in it.',
    params: ById,
    body: GroupChanges,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: Group,
    errors: { 409: `${taken} Or somebody else changed the group meanwhile.` },
  },
  remove: {
    method: 'DELETE',
    path: '/useradmin/group/:id',
    access,
    summary: 'Deletes a group, unless an active incident targets it: that is refused with 400.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  restore: {
    method: 'POST',
    path: '/useradmin/group/:id/restore',
    access,
    summary:
      'Undoes the deletion of a group by the caller within ten minutes, with its members and access to folders.',
    params: ById,
    reply: GroupSummary,
    errors: UNDO_ERRORS,
  },
  options: {
    method: 'GET',
    path: '/group',
    access: reading,
    summary: 'The groups to choose from, by name.',
    query: z.object({
      /** False leaves out the members' email addresses. */
      withMembers: z._default(truth, true),
    }),
    reply: z.array(GroupOption),
  },
  all: {
    method: 'GET',
    path: '/group/all',
    access: reading,
    summary: 'All groups of the organisation, by name.',
    reply: z.array(GroupOption),
  },
  mine: {
    method: 'GET',
    path: '/group/me',
    access: reading,
    summary: 'The groups that the caller is a member of, by name. A key is a member of none.',
    reply: z.array(GroupOption),
  },
})
