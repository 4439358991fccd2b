import * as z from 'zod/mini'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { wholeNumber } from '#contract/kit/query.ts'
import { ById, nothing, text } from '#contract/kit/text.ts'

import {
  Cursor,
  EntryChange,
  EntryChanges,
  NewEntry,
  TIMELINE_KINDS,
  TIMELINE_PAGE_MAX,
  TimelineEntry,
  TimelineFilters,
  TimelineKind,
  TimelinePage,
} from './schema.ts'

const { read, write } = incidentsAccess
const person = z.optional(text())
const stale = { 409: 'The entry was removed, or somebody else changed it meanwhile.' }
/** Names of kinds, separated by commas. */
const kinds = z.optional(
  z.pipe(
    text(),
    z.pipe(
      z.transform((value: string) => value.split(',')),
      z.array(TimelineKind).check(z.maxLength(TIMELINE_KINDS.length)),
    ),
  ),
)

/** The timeline of an incident: every act, and entries that people write by hand (decision 113). */
export const incidentTimelineApi = defineApi({
  list: {
    method: 'GET',
    path: '/incident/:id/timeline',
    access: read,
    summary: 'A page of the timeline of an incident, newest first, filtered by kinds and by person.',
    params: ById,
    query: z.object({
      kinds,
      /** Email of a person, or name of an API key. */
      person,
      size: wholeNumber(50, 1, TIMELINE_PAGE_MAX),
      cursor: z.optional(Cursor),
    }),
    reply: TimelinePage,
  },
  filters: {
    method: 'GET',
    path: '/incident/:id/timeline/filters',
    access: read,
    summary: 'The kinds and people of a timeline, with the numbers of their acts.',
    params: ById,
    query: z.object({ person }),
    reply: TimelineFilters,
  },
  add: {
    method: 'POST',
    path: '/incident/:id/timeline',
    access: write,
    summary: 'Writes an entry by hand into the timeline, also after the resolution.',
    params: ById,
    body: NewEntry,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: TimelineEntry,
    status: 201,
  },
  update: {
    method: 'PUT',
    path: '/incident/timeline/:id',
    access: write,
    summary: 'Changes an entry of its author; administrators change all. The history keeps what it was.',
    params: ById,
    body: EntryChanges,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: TimelineEntry,
    errors: stale,
  },
  remove: {
    method: 'DELETE',
    path: '/incident/timeline/:id',
    access: write,
    summary: 'Removes an entry, which stays in the timeline as a struck one.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  history: {
    method: 'GET',
    path: '/incident/timeline/:id/history',
    access: read,
    summary: 'What an entry was before its changes, newest first.',
    params: ById,
    reply: z.array(EntryChange),
  },
})
