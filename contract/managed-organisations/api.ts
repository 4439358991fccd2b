import * as z from 'zod/mini'

import { providerStaff as access } from '#contract/kit/access.ts'
import { BODY_LIMIT_TEXTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, nothing, text } from '#contract/kit/text.ts'
import { InvitationState } from '#contract/welcome/schema.ts'

import {
  CANNOT_CLEAR,
  CredentialPool,
  DELETE_NAME_REQUIRED,
  Deletion,
  ManagedOrganisation,
  NewChatCredentials,
  NewOrganisation,
  OrganisationChanges,
  OrganisationDetail,
} from './schema.ts'

/** Columns that the console's list can be sorted by. */
export const ORGANISATION_SORT_FIELDS = [
  'displayName',
  'enterpriseDomain',
  'contactName',
  'contactEmail',
  'level',
  'maxUsers',
  'createTimestamp',
] as const

/** Organisations in the provider's console (administration §7.6). */
export const managedOrganisationsApi = defineApi({
  list: {
    method: 'GET',
    path: '/enterprises',
    access,
    summary: 'All organisations.',
    query: listQuery(
      ORGANISATION_SORT_FIELDS,
      z.object({
        /** Part of the name, the domain, the code, or of the administrator's name or address. */
        q: z.optional(text()),
        /** How far the welcome package is. */
        invitation: z.optional(InvitationState),
      }),
    ),
    reply: list(ManagedOrganisation),
  },
  deletions: {
    method: 'GET',
    path: '/enterprises/deletions',
    access,
    summary: 'Organisations that are being deleted, and how far that is.',
    reply: z.array(Deletion),
  },
  retryDeletion: {
    method: 'POST',
    path: '/enterprises/deletions/:id/retry',
    access,
    repeatable: true,
    summary: 'Has a deletion that failed try again at once. Does nothing for one that is running.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  get: {
    method: 'GET',
    path: '/enterprise/:id',
    access,
    summary: 'One organisation with its counts. Its people are shown to staff who said why they look.',
    params: ById,
    reply: OrganisationDetail,
  },
  create: {
    method: 'POST',
    path: '/enterprise',
    access,
    summary: 'Creates an organisation with its administrator, who is mailed an activation link.',
    body: NewOrganisation,
    reply: ManagedOrganisation,
    status: 201,
    errors: { 409: 'The name or the domain is taken; `errorMessages` has everything that is.' },
  },
  update: {
    method: 'PUT',
    path: '/enterprise/:id',
    access,
    summary: 'Changes the contract of an organisation.',
    params: ById,
    body: OrganisationChanges,
    reply: ManagedOrganisation,
  },
  remove: {
    method: 'DELETE',
    path: '/enterprise/:id',
    access,
    summary: 'Deletes an organisation: nobody can sign in from now on, and a job removes every row and file.',
    params: ById,
    query: z.object({
      /** The exact name of the organisation. */
      name: z.string(DELETE_NAME_REQUIRED).check(z.minLength(1, DELETE_NAME_REQUIRED), z.maxLength(255)),
    }),
    reply: nothing,
    status: 204,
  },
  clear: {
    method: 'DELETE',
    path: '/enterprise/:id/clear',
    access,
    summary:
      'Deletes the contents of an organisation: incidents, files, groups, contacts and messages. People, their sign-in, API keys, configuration and the audit log stay.',
    params: ById,
    reply: nothing,
    status: 204,
    errors: { 409: CANNOT_CLEAR },
  },
  credentials: {
    method: 'GET',
    path: '/credentials',
    access,
    summary: 'How many pairs of chat credentials are left for new organisations.',
    reply: CredentialPool,
  },
  addCredentials: {
    method: 'POST',
    path: '/credentials',
    access,
    summary: 'Adds chat credentials for new organisations. Secrets are never answered.',
    body: NewChatCredentials,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: CredentialPool,
    status: 201,
    errors: { 409: 'A key was added before.' },
  },
})
