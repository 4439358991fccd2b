import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { withoutDirectionMarks } from '#contract/kit/direction.ts'
import { fullName } from '#contract/kit/names.ts'
import type { SituationReport } from '#contract/situation-reports/schema.ts'
import { PASSCODE_MAX } from '#contract/stakeholder-links/schema.ts'
import { findConfig } from '#server/config/flows.ts'
import { stamp, stateOf } from '#server/incident-timeline/sentences.content.ts'
import { findIncident, type IncidentWithTargets } from '#server/incidents/reading.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { Refusal } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { type Html, html, sanitised } from '#server/kit/http/page.ts'
import { type NoncedPage, publicPage, sendPublic, takesForms } from '#server/kit/http/public-page.ts'
import { passwordMatches } from '#server/kit/security/passwords.ts'
import { openToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import { listPublished } from '#server/situation-reports/store.ts'
import { listNamed } from '#server/users/people.store.ts'

import { PAGE_PATH, recordLink, STAKEHOLDER_TOKEN } from './flows.ts'
import { countVisit, linkLookup, type OpenedLink } from './store.ts'

/** Bytes of a form with a passcode. */
const FORM_LIMIT = 4_096
/** Reports on the page, the newest ones. */
const SHOWN = 50
const EXERCISE = 'EXERCISE'
const WRONG = 'This passcode is not correct.'

const typed = (text: string): Html => html`<bdi>${withoutDirectionMarks(text)}</bdi>`

/** An address that never was, has ended or was withdrawn: one page for all. */
const GONE: NoncedPage = publicPage({
  title: 'There is no such page',
  main: html`<h1>There is no such page</h1>
    <p>Please open the link exactly as it was sent to you, or ask the person who sent it for a new one.</p>`,
})

/** The question for the passcode, with the problem of the last one. */
const door = ({ organisation }: OpenedLink, problem: string | null): NoncedPage =>
  publicPage({
    title: 'Situation reports',
    organisation,
    main: html`<h1>Situation reports</h1>
      <p>Please enter the passcode that you were given with this link.</p>
      ${problem !== null && html`<p class="note alert" role="alert">${problem}</p>`}
      <form method="post">
        <label for="passcode">Passcode</label>
        <input
          id="passcode"
          name="passcode"
          type="text"
          required
          autofocus
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          dir="ltr"
          maxlength="${PASSCODE_MAX}"
        />
        <button>Open</button>
      </form>`,
  })

interface Facts {
  readonly link: OpenedLink
  readonly incident: IncidentWithTargets
  readonly reports: readonly SituationReport[]
  readonly timeZone: string
  /** Names of the people behind addresses. */
  readonly names: ReadonlyMap<string, string>
}

function reportPart(report: SituationReport, { timeZone, names }: Facts): Html {
  const { number, correctsNumber, publishedTimestamp, publishedBy, content } = report
  const by = publishedBy === null ? '' : (names.get(publishedBy) ?? publishedBy)
  return html`<article>
    <h2>Situation report no. ${number}</h2>
    <p class="quiet">
      <time datetime="${publishedTimestamp}">${stamp({ timeZone }, publishedTimestamp!)}</time> ·
      ${typed(by)}${correctsNumber !== null && ` · corrects no. ${correctsNumber}`}
    </p>
    ${sanitised(content)}
  </article>`
}

/** The published reports, the newest first, below the title and the state of the incident. */
function reportsPage(facts: Facts): NoncedPage {
  const { link, incident, reports } = facts
  const { title, isTabletop } = incident
  return publicPage({
    title,
    organisation: link.organisation,
    mark: isTabletop ? EXERCISE : null,
    main: html`<h1>${typed(title)}</h1>
      <p><strong>${stateOf(incident)}</strong></p>
      ${
        reports.length === 0
          ? html`<p>No situation report was published yet.</p>`
          : reports.map((report) => reportPart(report, facts))
      }`,
    footer: html`For ${typed(link.label)}. Read at ${stamp(facts, clock.timestamp())}.`,
  })
}

async function factsOf(db: OrgDb, link: OpenedLink): Promise<Facts | null> {
  const incident = await findIncident(db, link.incidentId)
  if (!incident) return null
  const reports = await listPublished(db, link.incidentId, SHOWN)
  const people = await listNamed(
    db,
    reports.flatMap(({ publishedBy }) => publishedBy ?? []),
  )
  return {
    link,
    incident,
    reports,
    timeZone: (await findConfig(db)).timeZone,
    names: new Map(people.map((person) => [person.email, fullName(person) || person.email])),
  }
}

/** Runs `work` in the organisation of a link; undefined for a link that cannot be opened. */
async function withLink<T>(
  { database }: Pick<Services, 'database'>,
  { params, ip, headers }: FastifyRequest,
  work: (db: OrgDb, link: OpenedLink) => Promise<T>,
): Promise<T | undefined> {
  const opened = openToken(STAKEHOLDER_TOKEN, (params as { token: string }).token)
  if (!opened) return undefined
  const { organisationId, hash } = opened
  const actor = (link: OpenedLink | undefined): EventActor => ({
    kind: 'link',
    id: link?.linkId ?? null,
    name: link ? `Stakeholder (${link.label})` : '',
    facts: { address: { from: null, to: ip }, userAgent: { from: null, to: headers['user-agent'] ?? null } },
  })
  return database.withOrganisation<T | undefined, OpenedLink>(
    { organisationId, lookup: linkLookup(hash), actor },
    async (db, link) => (link ? work(db, link) : undefined),
  )
}

/** 404, and 429 with too many wrong addresses from one place. */
async function sendGone({ attempts, database }: Services, request: FastifyRequest, reply: FastifyReply) {
  const tooMany = await attempts.takeWrongLink(database.directory, request.ip)
  return sendPublic(reply, tooMany ? 429 : 404, GONE)
}

/** The reports behind a passcode, or the refusal of the passcode. Wrong ones are counted, recorded and locked out. */
async function open(services: Services, request: FastifyRequest, passcode: string) {
  const { attempts } = services
  const found = await withLink(services, request, async (db, link) => {
    const tries = attempts.codes(`stakeholder link ${link.linkId}`, request.ip)
    return { link, tries, lockedOut: await attempts.refusal(db, tries.keys) }
  })
  if (!found) return undefined
  const { link, tries, lockedOut } = found
  if (lockedOut) return { link, refusal: lockedOut }
  const isRight = await passwordMatches(passcode, link.passcodeHash)
  return withLink(services, request, async (db, again) => {
    const { refusal } = await attempts.settle(db, tries, isRight)
    const told = { id: again.linkId, incidentId: again.incidentId, label: again.label }
    if (!isRight) recordLink(db, told, 'passcode refused')
    if (refusal || !isRight) return { link: again, refusal }
    const facts = await factsOf(db, again)
    await countVisit(db, again.linkId, clock.timestamp())
    recordLink(db, told, 'visited')
    return { link: again, facts }
  })
}

/**
 * `/situation/<token>`: the published situation reports of an incident, rendered here and without scripts. Opening the
 * address shows the question for the passcode alone; only a POST with it is a visit.
 */
export function registerStakeholderPage(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    takesForms(scope, FORM_LIMIT)
    const path = `${PAGE_PATH}/:token`
    scope.get(path, async (request, reply) => {
      const link = await withLink(services, request, async (_, found) => found)
      return link ? sendPublic(reply, 200, door(link, null)) : sendGone(services, request, reply)
    })
    scope.post(path, async (request, reply) => {
      const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const passcode = (body.get('passcode') ?? '').trim().toLowerCase().slice(0, PASSCODE_MAX)
      const result = await open(services, request, passcode)
      if (!result) return sendGone(services, request, reply)
      if ('facts' in result)
        return result.facts
          ? sendPublic(reply, 200, reportsPage(result.facts))
          : sendGone(services, request, reply)
      const { link, refusal } = result as { link: OpenedLink; refusal: Refusal | null }
      return sendPublic(reply, refusal?.status ?? 400, door(link, refusal?.message ?? WRONG))
    })
  })
}
