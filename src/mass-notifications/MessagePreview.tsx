import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

import { callText, mailFooter, needsEmail, smsSegments } from '#contract/mass-notifications/rules.ts'
import { useSession } from '#providers/session.ts'
import { useText } from '#src/kit/useText.ts'

import { ENGLISH_WORDS } from '#contract/notification-questions/rules.ts'
import { type Draft, useQuota, wordsAround } from './queries.ts'
import { smsOf } from './SmsCost.tsx'
import { ToneMark } from './ToneMark.tsx'

const asWritten = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', unicodeBidi: 'plaintext' } as const

function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id} sx={{ minWidth: 0 }}>
      <Typography id={id} variant="h4" component="h3" sx={{ mb: 1, fontSize: '0.875rem', fontWeight: 600 }}>
        {title}
      </Typography>
      {children}
      {note !== undefined && (
        <Box sx={{ mt: 0.75, fontSize: '0.8125rem', color: 'text.secondary' }}>{note}</Box>
      )}
    </Box>
  )
}

/** A text, or a placeholder for an empty one. */
function Words({ words }: { words: string }) {
  const text = useText()
  return words.trim() ? (
    words.trim()
  ) : (
    <Box component="em" sx={{ color: 'text.secondary' }}>
      {text('massNotifications.previewEmpty')}
    </Box>
  )
}

function Email({ draft }: { draft: Draft }) {
  const { title, emailMessage, level, question } = draft
  const text = useText()
  const { data: quota } = useQuota()
  const sender = useSession().user?.email ?? ''
  const organisation = quota?.organisation ?? ''
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: '6px', overflow: 'hidden' }}>
      <Box
        component="dl"
        sx={{
          m: 0,
          px: 1.5,
          py: 1,
          display: 'grid',
          gridTemplateColumns: 'auto minmax(0, 1fr)',
          columnGap: 1.5,
          borderBottom: 1,
          borderColor: 'divider',
          bgcolor: 'background.default',
          '& dt': { color: 'text.secondary' },
          '& dd': { m: 0, overflowWrap: 'anywhere' },
        }}
      >
        <dt>{text('massNotifications.previewFrom')}</dt>
        <dd dir="auto">{organisation}</dd>
        <dt>{text('massNotifications.previewSubject')}</dt>
        <Box component="dd" dir="auto" sx={{ fontWeight: 600 }}>
          <Words words={title} />
        </Box>
      </Box>
      <Box
        dir="auto"
        // Makes overflowing text scrollable by keyboard.
        tabIndex={0}
        role="group"
        aria-label={text('massNotifications.emailMessage')}
        sx={{ px: 1.5, py: 1.25, maxHeight: 240, overflowY: 'auto', ...asWritten }}
      >
        <Words words={emailMessage} />
        {question && (
          <Box sx={{ mt: 1.5 }}>
            {(wordsAround(quota, draft) ?? ENGLISH_WORDS).answer} {quota?.answerLink}
          </Box>
        )}
        <Box sx={{ mt: 1.5, pt: 1, borderTop: 1, borderColor: 'divider', color: 'text.secondary' }}>
          {mailFooter(level, organisation, sender)}
        </Box>
      </Box>
    </Box>
  )
}

/** A text as a phone shows or speaks it. */
const Bubble = ({ children }: { children: ReactNode }) => (
  <Box
    dir="auto"
    sx={{
      px: 1.5,
      py: 1,
      maxWidth: 320,
      borderRadius: '14px 14px 14px 4px',
      bgcolor: 'action.selected',
      ...asWritten,
    }}
  >
    {children}
  </Box>
)

function Sms({ draft }: { draft: Draft }) {
  const text = useText()
  const { data: quota } = useQuota()
  const words = smsOf(draft, quota)
  const { alphabet, count, used, room, strange } = smsSegments(words)
  const numbers = {
    smart_count: count,
    alphabet: text(`massNotifications.alphabets.${alphabet}`),
    used,
    room,
  }
  const note = (
    <>
      {text('massNotifications.segments', numbers)}
      {strange !== undefined && <Box>{text('massNotifications.ucs2', { letter: strange })}</Box>}
    </>
  )
  return (
    <Part title={text('massNotifications.previewTypes.SMS')} note={note}>
      <Bubble>{words}</Bubble>
    </Part>
  )
}

/** Previews of a message for each chosen type. */
export function MessagePreview({ draft }: { draft: Draft }) {
  const text = useText()
  const { types, smsMessage, question } = draft
  const { data: quota } = useQuota()
  if (types.length === 0) return null
  return (
    <Box
      role="group"
      aria-label={text('massNotifications.preview')}
      sx={{
        mt: 2.5,
        pt: 2,
        borderTop: 1,
        borderColor: 'divider',
        display: 'grid',
        gap: 2.5,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: `repeat(${types.length}, minmax(0, 1fr))` },
      }}
    >
      {question && (
        <Box sx={{ gridColumn: '1 / -1' }}>
          <Part title={text('massNotifications.question')} note={text('massNotifications.questionPreview')}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2.5, rowGap: 1 }}>
              {question.answers.map(({ label, tone }, n) => (
                // oxlint-disable-next-line react/no-array-index-key -- answers are known by their order
                <ToneMark
                  key={n}
                  tone={tone}
                  label={label.trim() || text('massNotifications.previewEmpty')}
                />
              ))}
            </Box>
          </Part>
        </Box>
      )}
      {needsEmail(types) && (
        <Part title={text('massNotifications.previewTypes.EMAIL')}>
          <Email draft={draft} />
        </Part>
      )}
      {types.includes('SMS') && <Sms draft={draft} />}
      {types.includes('VOICE_CALL') && (
        <Part
          title={text('massNotifications.previewTypes.VOICE_CALL')}
          note={text('massNotifications.saidTwice')}
        >
          <Bubble>
            <Words
              words={callText(
                smsMessage.trim(),
                quota?.takesKeys ? question : null,
                wordsAround(quota, draft),
              )}
            />
          </Bubble>
        </Part>
      )}
    </Box>
  )
}
