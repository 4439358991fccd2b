import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import type { Respondent } from '#contract/mass-notifications/schema.ts'
import { CHANNEL_LABELS, STANDING_LABELS } from '#contract/notification-questions/rules.ts'
import type { AskedQuestion, GivenAnswer } from '#contract/notification-questions/schema.ts'
import { PhoneLinks } from '#src/kit/list/PhoneLinks.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Delivered } from './Delivered.tsx'
import { PersonDetails } from './PersonDetails.tsx'
import { ToneMark } from './ToneMark.tsx'

const labelOf = ({ answers }: AskedQuestion, { answer }: GivenAnswer): string => answers[answer]?.label ?? ''

/** The answer that counts: the words, the note, the time and the way. */
function Given({ question, given }: { question: AskedQuestion; given: GivenAnswer }) {
  const text = useText()
  const { note, channel, answeredBy, reason, createTimestamp } = given
  return (
    <>
      <Box sx={{ fontWeight: 600 }}>
        <ToneMark tone={question.answers[given.answer]?.tone ?? 'NEUTRAL'} label={labelOf(question, given)} />
      </Box>
      {note && (
        <Box dir="auto" sx={{ whiteSpace: 'pre-wrap' }}>
          {note}
        </Box>
      )}
      <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
        <Time at={createTimestamp} />
        {' · '}
        {channel === 'ON_BEHALF'
          ? text('massNotifications.onBehalf', { name: answeredBy ?? '', reason: reason ?? '' })
          : CHANNEL_LABELS[channel]}
      </Box>
    </>
  )
}

interface Props {
  notificationId: string
  person: Respondent
  question: AskedQuestion
  onEnter: () => void
}

/** A person of a question: who they are, what they said and when, or why they were not reached. */
export function RespondentRow({ notificationId, person, question, onEnter }: Props) {
  const text = useText()
  const { name, email, phone, standing, messages, answers, replies } = person
  const [given, ...earlier] = answers
  const who = name || email || phone || ''
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 4fr) minmax(0, 6fr) auto' },
        columnGap: 2,
        rowGap: 0.5,
        alignItems: 'start',
        py: 1.25,
        borderTop: 1,
        borderColor: 'divider',
        overflowWrap: 'anywhere',
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 64px',
      }}
    >
      <div>
        <Box dir="auto" sx={{ fontWeight: 600 }}>
          {who}
        </Box>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            columnGap: 1.5,
            fontSize: '0.8125rem',
            color: 'text.secondary',
          }}
        >
          {email && email !== who && <span>{email}</span>}
          {phone && phone !== who && <PhoneLinks phones={[[phone]]} />}
        </Box>
      </div>
      <div>
        {given ? (
          <Given question={question} given={given} />
        ) : (
          <>
            <Box sx={{ fontWeight: 600 }}>{STANDING_LABELS[standing]}</Box>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, fontSize: '0.8125rem' }}>
              <Delivered messages={messages} />
            </Box>
          </>
        )}
        {replies.map((one) => (
          <Box key={one.createTimestamp} sx={{ fontSize: '0.8125rem' }}>
            {text('massNotifications.replied')} <bdi>{one.text}</bdi>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {' · '}
              <Time at={one.createTimestamp} />
            </Box>
          </Box>
        ))}
        {earlier.map((one) => (
          <Box key={one.createTimestamp} sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            {text('massNotifications.before', { answer: labelOf(question, one) })}
            {', '}
            <Time at={one.createTimestamp} />
          </Box>
        ))}
      </div>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
        <PersonDetails notificationId={notificationId} person={person.person} name={who} />
        {question.isOpen && (
          <Button
            size="small"
            aria-label={text('massNotifications.enterAnswerFor', { name: who })}
            onClick={onEnter}
            sx={{ justifySelf: 'start', minHeight: { xs: 44, sm: 32 } }}
          >
            {text('massNotifications.enterAnswer')}
          </Button>
        )}
      </Box>
    </Box>
  )
}
