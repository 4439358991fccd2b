import Box from '@mui/material/Box'
import { useId } from 'react'

import { welcome } from '#providers/i18n/welcome.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'

import type { Welcome } from './useWelcome.ts'

const texts = welcome.introduction

/** Purpose of the package, and the organisation's code. */
export function IntroductionStep({ welcome: { state } }: { welcome: Welcome }) {
  const id = useId()
  return (
    <>
      <Lead>
        {texts.hello(state.mainAdminUser.firstName)} {texts.text}
      </Lead>
      <Lead>{texts.saved}</Lead>
      <Box sx={{ display: 'grid', gap: 0.5, mt: 3, maxWidth: 400 }}>
        <Box component="label" htmlFor={id} sx={{ fontWeight: 600 }}>
          {texts.orgCode}
        </Box>
        <Box
          component="input"
          id={id}
          readOnly
          value={state.enterpriseCode}
          aria-describedby={`${id}-help`}
          sx={CODE}
        />
        <Box id={`${id}-help`} sx={{ fontSize: '0.875rem', color: 'text.secondary' }}>
          {texts.orgCodeHelp}
        </Box>
      </Box>
    </>
  )
}

const CODE = {
  font: 'inherit',
  fontSize: '1rem',
  p: 1.25,
  border: 1,
  borderColor: 'divider',
  borderRadius: '6px',
  color: 'text.primary',
  bgcolor: 'background.default',
}
