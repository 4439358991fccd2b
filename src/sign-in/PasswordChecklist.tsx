import CheckRounded from '@mui/icons-material/CheckRounded'
import RadioButtonUncheckedRounded from '@mui/icons-material/RadioButtonUncheckedRounded'
import Box from '@mui/material/Box'
import { useId } from 'react'

import { passwordRules } from '#contract/sessions/rules.ts'
import { credentials as texts } from '#providers/i18n/credentials.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'

/** The rules of a new password, each with its result (foundation §5). */
export function passwordChecks(password: string, confirmation: string) {
  return [
    ...passwordRules.map(({ id, holds }) => ({ id, holds: password !== '' && holds(password) })),
    { id: 'match' as const, holds: password !== '' && password === confirmation },
  ]
}

/**
 * The rules of a new password. From the first character on, unmet rules stand out. Screen readers announce
 * the number of unmet rules when it changes, not at each character.
 */
export function PasswordChecklist({ password, confirmation }: { password: string; confirmation: string }) {
  const titleId = useId()
  const checks = passwordChecks(password, confirmation)
  const left = checks.filter(({ holds }) => !holds).length
  const isTyped = password !== '' || confirmation !== ''
  return (
    <div>
      <div id={titleId}>{texts.rules}</div>
      <Box
        component="ul"
        aria-labelledby={titleId}
        sx={{ display: 'grid', gap: 0.5, m: 0, mt: 1, p: 0, listStyle: 'none', fontSize: '0.875rem' }}
      >
        {checks.map(({ id, holds }) => (
          <Box
            key={id}
            component="li"
            sx={{
              display: 'flex',
              gap: 1,
              color: isTyped && !holds ? 'text.primary' : 'text.secondary',
              fontWeight: isTyped && !holds ? 600 : 400,
            }}
          >
            {holds ? (
              <CheckRounded color="success" />
            ) : (
              <RadioButtonUncheckedRounded
                sx={{ p: '2px', color: isTyped ? 'warning.main' : 'background.edge' }}
              />
            )}
            <Box component="span" sx={{ textWrap: 'pretty' }}>
              {texts.rule[id]} <span style={visuallyHidden}>{holds ? texts.holds : texts.open}</span>
            </Box>
          </Box>
        ))}
      </Box>
      <div role="status" style={visuallyHidden}>
        {isTyped && (left > 0 ? texts.missing(left, checks.length) : texts.complete)}
      </div>
    </div>
  )
}
