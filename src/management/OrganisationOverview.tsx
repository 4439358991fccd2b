import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'
import { type ReactNode, useId } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import { eventInWords } from '#contract/audit-log/rules.ts'
import { NEAR_LIMIT, type OrganisationDetail } from '#contract/managed-organisations/schema.ts'
import { providerLogApi } from '#contract/provider-log/api.ts'
import { invitationState } from '#contract/welcome/rules.ts'
import { call } from '#providers/api.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { MINUTE } from '#src/kit/time/clock.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { configTitle } from '#src/config-items/configTitle.ts'

/** Own configuration items that are named, and acts of staff that are shown. */
const SHOWN = { items: 6, acts: 5 }

interface CardProps {
  title: string
  /** A link to the whole of it. */
  side?: ReactNode
  children: ReactNode
}
function Card({ title, side, children }: CardProps) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} variant="outlined" sx={{ p: 2, minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 32, mb: 1 }}>
        <Typography id={id} variant="h2" sx={{ flex: 1, fontSize: '1rem' }}>
          {title}
        </Typography>
        {side}
      </Box>
      {children}
    </Paper>
  )
}
/** The part of a list's address that holds its filter. */
const filteredBy = (filter: Readonly<Record<string, string>>): string =>
  String(new URLSearchParams({ filter: JSON.stringify(filter) }))
const To = ({ to, children }: { to: string; children: ReactNode }) => (
  <Button component={RouterLink} to={to} size="small">
    {children}
  </Button>
)

interface UsageProps {
  name: string
  used: number
  max: number
  format: (value: number) => string
}
/** Use of a limit as words and a bar. */
function Usage({ name, used, max, format }: UsageProps) {
  const text = useText()
  const isNear = used >= NEAR_LIMIT * max
  return (
    <Box sx={{ '& + &': { mt: 1.5 } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
        <Box sx={{ flex: 1 }}>{name}</Box>
        {isNear && (
          <StatusChip icon={WarningAmberRounded} tone="warning" label={text('management.page.nearLimit')} />
        )}
        <Box sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {text('management.page.used', { used: format(used), max: format(max) })}
        </Box>
      </Box>
      <LinearProgress
        variant="determinate"
        aria-label={name}
        color={isNear ? 'warning' : 'primary'}
        value={max === 0 ? 100 : Math.min(100, (100 * used) / max)}
        sx={{ mt: 0.5, borderRadius: 1 }}
      />
    </Box>
  )
}

function Contract({ detail }: { detail: OrganisationDetail }) {
  const text = useText()
  const { enterprise, subscription, adminUser, hasHostedChat } = detail
  const { code, enterpriseDomain, createTimestamp } = enterprise
  return (
    <Card
      title={text('management.page.contract')}
      side={<To to={`/management/organizations?edit=${detail.id}`}>{text('management.page.edit')}</To>}
    >
      <Facts
        facts={[
          [text('management.organizations.fields.code'), code],
          [text('management.organizations.fields.domain'), enterpriseDomain ?? '–'],
          [
            text('management.organizations.fields.level'),
            text(`management.organizations.levels.${subscription.level}`),
          ],
          [text('management.organizations.fields.contractNumber'), subscription.contractNumber ?? '–'],
          [
            text('management.page.contact'),
            adminUser ? `${adminUser.firstName} ${adminUser.lastName}, ${adminUser.email}` : '–',
          ],
          [
            text('management.page.chat'),
            text(hasHostedChat ? 'management.page.hosted' : 'management.page.builtIn'),
          ],
          [text('management.organizations.fields.created'), <Time key="created" at={createTimestamp} />],
        ]}
      />
    </Card>
  )
}

function Limits({ detail }: { detail: OrganisationDetail }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { id, activeUsers, maxUsers, notifications, storage } = detail
  const inNumbers = (value: number) => formatNumber(locale, value)
  return (
    <Card
      title={text('management.page.usage')}
      side={<To to={`/management/users/${id}`}>{text('management.organizations.manageUsers')}</To>}
    >
      <Usage name={text('management.page.people')} used={activeUsers} max={maxUsers} format={inNumbers} />
      {notifications ? (
        <Usage name={text('management.page.notifications')} {...notifications} format={inNumbers} />
      ) : (
        <Box sx={{ display: 'flex', mt: 1.5 }}>
          <Box sx={{ flex: 1 }}>{text('management.page.notifications')}</Box>
          <Box sx={{ color: 'text.secondary' }}>{text('management.page.notSubscribed')}</Box>
        </Box>
      )}
      <Usage
        name={text('management.page.storage')}
        {...storage}
        format={(bytes) => fileSize(locale, bytes)}
      />
    </Card>
  )
}

function Welcome({ detail }: { detail: OrganisationDetail }) {
  const text = useText()
  const { welcomePackageStatus: status, welcomePackageSentTimestamp: sentTimestamp, enterprise } = detail
  const state = invitationState({ status, sentTimestamp })
  return (
    <Card
      title={text('management.page.welcome')}
      side={
        <To to={`/management/organizations?${filteredBy({ q: enterprise.code })}`}>
          {text('management.page.inList')}
        </To>
      }
    >
      <Facts
        facts={[
          [text('management.organizations.fields.status'), text(`management.welcome.states.${state}`)],
          ...(sentTimestamp === null
            ? []
            : [[text('management.page.sent'), <Time key="sent" at={sentTimestamp} />] as const]),
        ]}
      />
    </Card>
  )
}

function Configuration({ detail: { id, ownConfigKeys } }: { detail: OrganisationDetail }) {
  const text = useText()
  const more = ownConfigKeys.length - SHOWN.items
  return (
    <Card
      title={text('management.page.configuration')}
      side={<To to={`/management/config/${id}`}>{text('management.organizations.configure')}</To>}
    >
      <Box sx={{ color: 'text.secondary' }}>
        {ownConfigKeys.length === 0
          ? text('management.page.noOwn')
          : text('management.page.ownItems', { smart_count: ownConfigKeys.length })}
      </Box>
      <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, '& > li': { py: 0.25 } }}>
        {ownConfigKeys.slice(0, SHOWN.items).map((key) => (
          <li key={key}>
            <Link component={RouterLink} to={`/management/config/${id}?q=${key}`}>
              {configTitle(key)}
            </Link>
          </li>
        ))}
        {more > 0 && <li>{text('management.page.andMore', { count: more })}</li>}
      </Box>
    </Card>
  )
}

function Log({ id }: { id: string }) {
  const text = useText()
  const filter = JSON.stringify({ organisation: id })
  const query = useQuery({
    queryKey: ['management/audit-log', 'organisation', id],
    queryFn: ({ signal }) =>
      call(providerLogApi.list, { query: { filter, range: JSON.stringify([0, SHOWN.acts - 1]) }, signal }),
    refetchInterval: MINUTE,
  })
  const { data: acts } = query
  return (
    <Card
      title={text('management.page.log')}
      side={
        <To to={`/management/audit-log?${filteredBy({ organisation: id })}`}>
          {text('management.page.wholeLog')}
        </To>
      }
    >
      {!acts && <Awaiting queries={[query]} height={120} />}
      {acts?.length === 0 && <Box sx={{ color: 'text.secondary' }}>{text('management.page.noLog')}</Box>}
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {acts?.map((act) => (
          <li key={act.id}>
            <Box dir="auto" sx={{ overflowWrap: 'anywhere' }}>
              {eventInWords(act)}
              {act.recordName !== null && act.record !== id && `: ${act.recordName}`}
            </Box>
            <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {act.actor.name} · <Time at={act.timestamp} />
            </Box>
          </li>
        ))}
      </Box>
    </Card>
  )
}

/** Contract, usage, welcome package, configuration and log of an organisation, each with the way to its list. */
export function OrganisationOverview({ detail }: { detail: OrganisationDetail }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        mt: 2,
        alignItems: 'start',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(400px, 100%), 1fr))',
      }}
    >
      <Contract detail={detail} />
      <Limits detail={detail} />
      <Welcome detail={detail} />
      <Configuration detail={detail} />
      <Log id={detail.id} />
    </Box>
  )
}
