import * as z from 'zod/mini'

import { CONFIG_KEYS } from '#contract/config/catalogue.ts'
import { staffAs } from '#contract/kit/access.ts'
import { BODY_LIMIT_TEXTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, nothing, text } from '#contract/kit/text.ts'
import { InvitationState } from '#contract/welcome/schema.ts'

import {
  CANNOT_CLEAR,
  CredentialPool,
  Deletion,
  ManagedOrganisation,
  NewChatCredentials,
  NewOrganisation,
  OrganisationChanges,
  OrganisationDetail,
  OrganisationStatus,
  REMOVAL_BEGAN,
} from './schema.ts'

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
    access: staffAs.look,
    summary: 'All organisations, suspended ones too, without those that were deleted.',
    query: listQuery(
      ORGANISATION_SORT_FIELDS,
      z.object({
        /** Part of the name, the domain, the code, or of the administrator's name or email address. */
        q: z.optional(text()),
        /** State of the welcome package. */
        invitation: z.optional(InvitationState),
        status: z.optional(OrganisationStatus),
        /** Only organisations that are near a limit. */
        limit: z.optional(z.enum(['NEAR'])),
        /** Only organisations with a value of their own for this configuration item. */
        ownConfigKey: z.optional(z.enum(CONFIG_KEYS)),
      }),
    ),
    reply: list(ManagedOrganisation),
  },
  deletions: {
    method: 'GET',
    path: '/enterprises/deletions',
    access: staffAs.look,
    summary: 'Organisations that were deleted, when they are removed, and how far that is.',
    reply: z.array(Deletion),
  },
  undoDeletion: {
    method: 'POST',
    path: '/enterprises/deletions/:id/undo',
    access: staffAs.administer,
    summary: 'Takes a deletion back, as long as the organisation is not being removed.',
    params: ById,
    reply: nothing,
    status: 204,
    errors: { 409: REMOVAL_BEGAN },
  },
  retryDeletion: {
    method: 'POST',
    path: '/enterprises/deletions/:id/retry',
    access: staffAs.administer,
    repeatable: true,
    summary: 'Has a deletion that failed try again at once. Does nothing for one that is running.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  get: {
    method: 'GET',
    path: '/enterprise/:id',
    access: staffAs.look,
    summary: 'One organisation with its counts. Its people are shown to staff who said why they look.',
    params: ById,
    reply: OrganisationDetail,
  },
  create: {
    method: 'POST',
    path: '/enterprise',
    access: staffAs.administer,
    summary: 'Creates an organisation with its administrator, who is mailed an activation link.',
    body: NewOrganisation,
    reply: ManagedOrganisation,
    status: 201,
    errors: { 409: 'The name or the domain is taken; `errorMessages` has everything that is.' },
  },
  update: {
    method: 'PUT',
    path: '/enterprise/:id',
    access: staffAs.administer,
    summary: 'Changes the contract of an organisation.',
    params: ById,
    body: OrganisationChanges,
    reply: ManagedOrganisation,
  },
  remove: {
    method: 'DELETE',
    path: '/enterprise/:id',
    access: staffAs.administer,
    summary:
      'Deletes an organisation: it is closed at once, and a job removes every row and file after seven days. Until then the deletion can be undone.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  suspend: {
    method: 'POST',
    path: '/enterprise/:id/suspend',
    access: staffAs.administer,
    repeatable: true,
    summary:
      'Suspends an organisation: its sessions end, nobody can sign in, its API keys are refused, and its messages and jobs wait.',
    params: ById,
    reply: ManagedOrganisation,
  },
  resume: {
    method: 'POST',
    path: '/enterprise/:id/resume',
    access: staffAs.administer,
    repeatable: true,
    summary: 'Ends the suspension of an organisation.',
    params: ById,
    reply: ManagedOrganisation,
  },
  clear: {
    method: 'DELETE',
    path: '/enterprise/:id/clear',
    access: staffAs.administer,
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
    access: staffAs.look,
    summary: 'How many pairs of chat credentials are left for new organisations.',
    reply: CredentialPool,
  },
  addCredentials: {
    method: 'POST',
    path: '/credentials',
    access: staffAs.administer,
    summary: 'Adds chat credentials for new organisations. Secrets are never answered.',
    body: NewChatCredentials,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: CredentialPool,
    status: 201,
    errors: { 409: 'A key was added before.' },
  },
})
