import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import HistoryRounded from '@mui/icons-material/HistoryRounded'
import HourglassEmptyRounded from '@mui/icons-material/HourglassEmptyRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type ReactNode, useId, useState } from 'react'

import { incidentDecisionsApi } from '#contract/incident-decisions/api.ts'
import { decisionCan } from '#contract/incident-decisions/rules.ts'
import type { Decision } from '#contract/incident-decisions/schema.ts'
import { decisions as words } from '#providers/i18n/decisions.ts'
import { usePeople } from '#providers/people.ts'
import { useCan } from '#providers/useCan.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { Time } from '#src/kit/time/Time.tsx'

import { FromChat } from '../feed/FromChat.tsx'
import { ConfirmDecision } from './ConfirmDecision.tsx'
import { DecisionForm } from './DecisionForm.tsx'

const MARKS = {
  PROPOSED: { icon: HourglassEmptyRounded, tone: 'warning' },
  DECIDED: { icon: CheckCircleRounded, tone: 'success' },
  SUPERSEDED: { icon: HistoryRounded, tone: 'neutral' },
} as const
/** Lines of a text before it is folded. */
const ROWS = 8

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '140px minmax(0, 1fr)' }, columnGap: 2 }}>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </Box>
  )
}
const Words = ({ name, text }: { name: string; text: string }) =>
  text === '' ? null : (
    <Fact name={name}>
      <PlainText text={text} rows={ROWS} />
    </Fact>
  )

/** Links between a decision and the one in its place. */
function Links({ decision: { supersedes, supersededBy, state } }: { decision: Decision }) {
  return (
    <>
      {supersedes && (
        <Box>
          {state === 'PROPOSED'
            ? words.willSupersede(supersedes.number)
            : words.supersedes(supersedes.number)}
        </Box>
      )}
      {supersededBy && (
        <Box>
          {supersededBy.state === 'PROPOSED'
            ? words.willBeSuperseded(supersededBy.number)
            : words.supersededBy(supersededBy.number)}
        </Box>
      )}
    </>
  )
}

function Facts({ decision }: { decision: Decision }) {
  const { nameOf } = usePeople()
  const { recordedTimestamp: recorded, decidedTimestamp: decided } = decision
  return (
    <>
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1 }}>
        <Words name={words.decision} text={decision.decision} />
        <Words name={words.reason} text={decision.reason} />
        <Words name={words.acceptedRisk} text={decision.acceptedRisk} />
        <Words name={words.context} text={decision.context} />
        {decision.options.length > 0 && (
          <Fact name={words.options}>
            <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
              {[...new Set(decision.options)].map((option) => (
                <li key={option}>{option}</li>
              ))}
            </Box>
          </Fact>
        )}
        <Fact name={words.decider}>
          <bdi>{decision.deciderName}</bdi>
        </Fact>
        {decision.onBehalfReason !== null && (
          <Words name={words.onBehalf(decision.decidedByName ?? '')} text={decision.onBehalfReason} />
        )}
      </Box>
      <Box sx={{ mt: 1, fontSize: '0.8125rem', color: 'text.secondary' }}>
        {words.proposedBy} <bdi>{nameOf(decision.createdBy)}</bdi>,{' '}
        <Time at={decision.createTimestamp} absolute />
        <FromChat message={decision.message} />
        {recorded !== null && recorded !== decided && (
          <>
            {' · '}
            {words.recorded} <Time at={recorded} absolute />
          </>
        )}
      </Box>
    </>
  )
}

type Opened = 'confirm' | 'edit' | 'supersede'
function Acts({ decision }: { decision: Decision }) {
  const can = useCan()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  if (!can(incidentDecisionsApi.propose.access)) return null
  const button = (act: Opened, isMain = false) => (
    <Button
      variant={isMain ? 'contained' : 'outlined'}
      onClick={() => setOpened(act)}
      sx={{ minHeight: { xs: 44, sm: 36 } }}
    >
      {words[act]}
    </Button>
  )
  const { incidentId } = decision
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
      {decision.canConfirm && button('confirm', decision.isMine)}
      {decisionCan.edit(decision) && button('edit')}
      {decisionCan.supersede(decision) && button('supersede')}
      {opened === 'confirm' && <ConfirmDecision decision={decision} onClose={close} />}
      {opened === 'edit' && <DecisionForm incidentId={incidentId} edited={decision} onClose={close} />}
      {opened === 'supersede' && (
        <DecisionForm incidentId={incidentId} superseded={decision} onClose={close} />
      )}
    </Box>
  )
}

/** A decision, which opens in place. */
export function DecisionItem({ decision }: { decision: Decision }) {
  const detailsId = useId()
  // One that waits for the reader is open.
  const [isOpen, setOpen] = useState(decision.state === 'PROPOSED' && decision.isMine)
  const { icon, tone } = MARKS[decision.state]
  const { state, decidedTimestamp, isMine, deciderName, decidedByName } = decision
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: 'divider', py: 1.25 }}>
      <Box
        component="button"
        type="button"
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={() => setOpen(!isOpen)}
        sx={{
          all: 'unset',
          boxSizing: 'border-box',
          cursor: 'pointer',
          width: '100%',
          display: 'grid',
          gridTemplateColumns: 'minmax(0, 1fr) auto',
          columnGap: 1,
          minHeight: 44,
          alignItems: 'center',
          '&:focus-visible': {
            outline: '2px solid',
            outlineColor: 'primary.main',
            outlineOffset: 2,
            borderRadius: 1,
          },
        }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Box
            dir="auto"
            sx={{
              fontWeight: 600,
              overflowWrap: 'anywhere',
              color: state === 'SUPERSEDED' ? 'text.secondary' : 'text.primary',
            }}
          >
            {words.numbered(decision.number, decision.title)}
          </Box>
          <Box
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              columnGap: 1,
              rowGap: 0.5,
              mt: 0.5,
            }}
          >
            <StatusChip label={words.states[state]} icon={icon} tone={tone} />
            <Box component="span" sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
              {state === 'PROPOSED'
                ? isMine
                  ? words.waitsForMe
                  : words.waits(deciderName)
                : words.decidedBy(decidedByName ?? deciderName)}
              {decidedTimestamp !== null && (
                <>
                  , <Time at={decidedTimestamp} />
                </>
              )}
            </Box>
          </Box>
          <Box sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
            <Links decision={decision} />
          </Box>
        </Box>
        <ExpandMoreRounded sx={{ color: 'text.secondary', transform: isOpen ? 'rotate(180deg)' : 'none' }} />
      </Box>
      <Box id={detailsId} hidden={!isOpen} sx={{ pt: 1.5 }}>
        {isOpen && (
          <>
            <Facts decision={decision} />
            <Acts decision={decision} />
          </>
        )}
      </Box>
    </Box>
  )
}
