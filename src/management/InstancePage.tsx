import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ErrorRounded from '@mui/icons-material/ErrorRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'
import { type FormEvent, type ReactNode, useState } from 'react'

import { instanceApi } from '#contract/instance/api.ts'
import type { CarrierName, CarrierTestResult, Instance } from '#contract/instance/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { MINUTE } from '#src/kit/time/clock.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

/** Milliseconds of clock difference above which codes and tokens fail. */
const SKEW_LIMIT_MS = 2_000
/** Age in milliseconds above which a waiting message indicates a problem. */
const WAITING_LIMIT_MS = 5 * MINUTE
/** Fraction of free disk space below which a warning is shown. */
const LITTLE_SPACE = 0.1

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title} sx={{ minWidth: 0 }}>
      <Typography variant="h2" sx={{ fontSize: '1rem', mb: 1 }}>
        {title}
      </Typography>
      {children}
    </Box>
  )
}

/** True if messages are retried repeatedly, or nothing delivers them. */
const areDelayed = ({
  messages: { problems, oldestWaitingTimestamp: oldest },
  timestamp,
}: Instance): boolean =>
  problems.some(({ state }) => state !== 'FAILED') ||
  (oldest !== null && Date.parse(timestamp) - Date.parse(oldest) > WAITING_LIMIT_MS)

/** Age in milliseconds above which a daily backup was missed. */
const BACKUP_LIMIT_MS = 28 * 60 * MINUTE

const isBackupLate = ({ backups, timestamp }: Instance): boolean =>
  backups !== null &&
  backups.newestTimestamp !== null &&
  Date.parse(timestamp) - Date.parse(backups.newestTimestamp) > BACKUP_LIMIT_MS

/** Warnings of the installation, for a first glance. */
function Warnings({ instance }: { instance: Instance }) {
  const { backups, database, disk, messages, queues } = instance
  const text = useText()
  const [locale] = useLocaleState()
  const warnings = [
    Math.abs(database.clockSkewMs) > SKEW_LIMIT_MS &&
      text('management.instance.skewed', { ms: formatNumber(locale, database.clockSkewMs) }),
    disk !== null &&
      disk.freeBytes < disk.bytes * LITTLE_SPACE &&
      text('management.instance.littleSpace', { free: fileSize(locale, disk.freeBytes) }),
    messages.failed > 0 && text('management.instance.failedMessages', { smart_count: messages.failed }),
    areDelayed(instance) && text('management.instance.delayedMessages'),
    queues.some(({ failed }) => failed > 0) && text('management.instance.failedJobs'),
    backups !== null &&
      backups.problem !== null &&
      text('management.instance.failedBackup', { reason: backups.problem }),
    isBackupLate(instance) && text('management.instance.lateBackup'),
  ].filter((warning) => warning !== false)
  if (warnings.length === 0) return <Alert severity="success">{text('management.instance.allWell')}</Alert>
  return warnings.map((warning) => (
    <Alert key={warning} severity="warning">
      {warning}
    </Alert>
  ))
}

function Installation({ instance }: { instance: Instance }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { version, startTimestamp, database, disk, backups, messages } = instance
  const facts: [string, ReactNode][] = [
    [text('management.instance.version'), version],
    [text('management.instance.started'), <Time key="started" at={startTimestamp} />],
    [
      text('management.instance.database'),
      `${text(`management.instance.kinds.${database.kind}`)}, ${database.version}, ${fileSize(locale, database.bytes)}`,
    ],
    [
      text('management.instance.skew'),
      text('management.instance.ms', { ms: formatNumber(locale, database.clockSkewMs) }),
    ],
    [
      text('management.instance.disk'),
      disk
        ? text('management.instance.free', {
            free: fileSize(locale, disk.freeBytes),
            all: fileSize(locale, disk.bytes),
          })
        : text('management.instance.unknown'),
    ],
    [
      text('management.instance.backup'),
      backups?.newestTimestamp ? (
        <Time key="backup" at={backups.newestTimestamp} />
      ) : (
        text(`management.instance.${backups ? 'noBackup' : 'noBackupPlan'}`)
      ),
    ],
    [text('management.instance.waiting'), formatNumber(locale, messages.waiting)],
    [
      text('management.instance.oldest'),
      messages.oldestWaitingTimestamp ? (
        <Time key="oldest" at={messages.oldestWaitingTimestamp} />
      ) : (
        text('management.instance.none')
      ),
    ],
  ]
  return (
    <Paper variant="outlined" sx={{ p: 2 }}>
      <Facts facts={facts} />
    </Paper>
  )
}

type Tested = CarrierTestResult | { readonly isWorking: false; readonly said: string }

/** Sends a test message and shows the carrier's answer. */
function Carrier({ carrier, service, trouble }: Instance['carriers'][number]) {
  const text = useText()
  const [to, setTo] = useState('')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Tested>()
  const isTested = useCan()(instanceApi.test.access) && service !== 'OFF'
  const needsNumber = carrier === 'SMS' || carrier === 'VOICE_CALL'
  const test = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setResult(undefined)
    try {
      const body = { to: needsNumber ? to : null }
      setResult(await call(instanceApi.test, { params: { carrier }, body }))
    } catch (error) {
      setResult({ isWorking: false, said: messageOf(error, text('management.instance.notTested')) })
    } finally {
      setBusy(false)
    }
  }
  const name = (carrierName: CarrierName) => text(`management.instance.carriers.${carrierName}`)
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => void test(event)}
      sx={{ px: 2, py: 1.5, '& + &': { borderTop: 1, borderColor: 'divider' } }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
        <Box sx={{ flex: '1 1 160px' }}>
          <Box component="strong" sx={{ fontWeight: 600 }}>
            {name(carrier)}
          </Box>
          <Typography sx={{ color: 'text.secondary' }}>
            {text(`management.instance.services.${service}`)}
          </Typography>
        </Box>
        {isTested && needsNumber && (
          <TextField
            value={to}
            onChange={({ target }) => setTo(target.value)}
            placeholder="+1 416 555 0123"
            type="tel"
            slotProps={{
              htmlInput: { 'aria-label': text('management.instance.testTo', { carrier: name(carrier) }) },
            }}
            sx={{ width: 190 }}
          />
        )}
        {isTested && (
          <Button
            type="submit"
            variant="outlined"
            size="small"
            loading={busy}
            aria-label={text('management.instance.testOf', { carrier: name(carrier) })}
          >
            {text('management.instance.test')}
          </Button>
        )}
      </Box>
      {trouble && (
        <Alert severity="error" sx={{ mt: 1.5, overflowWrap: 'anywhere' }}>
          {text('management.instance.trouble', { smart_count: trouble.waiting })}{' '}
          <Time at={trouble.sinceTimestamp} />. {trouble.reason}
        </Alert>
      )}
      <Box aria-live="polite">
        {result && (
          <Alert
            severity={result.isWorking ? 'success' : 'error'}
            icon={result.isWorking ? <CheckCircleRounded /> : <ErrorRounded />}
            sx={{ mt: 1.5, overflowWrap: 'anywhere' }}
          >
            {result.said}
            {'milliseconds' in result && ` (${text('management.instance.ms', { ms: result.milliseconds })})`}
          </Alert>
        )}
      </Box>
    </Box>
  )
}

function Queues({ queues }: Pick<Instance, 'queues'>) {
  const text = useText()
  const [locale] = useLocaleState()
  return (
    <TableContainer component={Paper} variant="outlined">
      <Table
        size="small"
        aria-label={text('management.instance.queues')}
        // All four columns fit the smallest phone.
        sx={{
          '& th, & td': { px: { xs: 1, sm: 2 } },
          "& th[scope='row']": { fontSize: '0.8125rem', overflowWrap: 'anywhere' },
        }}
      >
        <TableHead>
          <TableRow>
            <TableCell>{text('management.instance.queue')}</TableCell>
            <TableCell align="right">{text('management.instance.queued')}</TableCell>
            <TableCell align="right">{text('management.instance.active')}</TableCell>
            <TableCell align="right">{text('management.instance.failed')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {queues.map(({ name, waiting, active, failed }) => (
            <TableRow key={name}>
              <TableCell component="th" scope="row">
                {name}
              </TableCell>
              <TableCell align="right">{formatNumber(locale, waiting)}</TableCell>
              <TableCell align="right">{formatNumber(locale, active)}</TableCell>
              <TableCell align="right" sx={failed > 0 ? { color: 'error.main', fontWeight: 600 } : {}}>
                {formatNumber(locale, failed)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

function Problems({ problems }: Pick<Instance['messages'], 'problems'>) {
  const text = useText()
  if (problems.length === 0)
    return <Typography sx={{ color: 'text.secondary' }}>{text('management.instance.noProblems')}</Typography>
  return (
    <Paper variant="outlined" component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {problems.map(({ enterprise, channel, state, reason, createTimestamp }, index) => (
        <Box
          component="li"
          key={`${createTimestamp} ${index}`}
          sx={{ px: 2, py: 1, '& + &': { borderTop: 1, borderColor: 'divider' } }}
        >
          <Typography sx={{ overflowWrap: 'anywhere' }}>{reason}</Typography>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {text(`management.instance.channels.${channel}`)} ·{' '}
            {text(`management.instance.messageStates.${state}`)} · <span dir="auto">{enterprise}</span> ·{' '}
            <Time at={createTimestamp} />
          </Typography>
        </Box>
      ))}
    </Paper>
  )
}

/** State of the running installation for its operator, such as the reason why a mail was not sent. */
export function InstancePage() {
  const text = useText()
  const query = useQuery({
    queryKey: ['instance'],
    queryFn: ({ signal }) => call(instanceApi.get, { signal }),
    refetchInterval: MINUTE,
  })
  const { data: instance } = query
  return (
    <Box sx={{ p: { xs: 2, md: 3 }, maxWidth: 1280, mx: 'auto' }}>
      <PageTitle title={text('management.sections.instance')} />
      {instance ? (
        <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
          <Box sx={{ display: 'grid', gap: 1 }}>
            <Warnings instance={instance} />
          </Box>
          <Box
            sx={{
              display: 'grid',
              gap: 3,
              alignItems: 'start',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
            }}
          >
            <Section title={text('management.instance.facts')}>
              <Installation instance={instance} />
            </Section>
            <Section title={text('management.instance.carriersTitle')}>
              <Paper variant="outlined">
                {instance.carriers.map((carrier) => (
                  <Carrier key={carrier.carrier} {...carrier} />
                ))}
              </Paper>
            </Section>
            <Section title={text('management.instance.problems')}>
              <Problems problems={instance.messages.problems} />
            </Section>
            <Section title={text('management.instance.queues')}>
              <Queues queues={instance.queues} />
            </Section>
          </Box>
        </Box>
      ) : (
        <Awaiting queries={[query]} height={480} />
      )}
    </Box>
  )
}
