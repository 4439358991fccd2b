import type { CSSObject, Theme } from '@mui/material/styles'

import { INCIDENT_FILL } from './palette.ts'

export type Tone = 'error' | 'warning' | 'success'

/**
 * A surface for the current state: filled in the light scheme, tinted and framed in the dark one, where a
 * fill would glare. An incident is filled with red in both, because a tint of it is brown.
 */
export const filledSurface =
  (tone: Tone) =>
  (theme: Theme): CSSObject => {
    const { main, contrastText } = theme.vars.palette[tone]
    const filled = { backgroundColor: INCIDENT_FILL, borderColor: INCIDENT_FILL, color: '#FFFFFF' }
    const tinted = {
      backgroundColor: `color-mix(in srgb, ${main} 18%, ${theme.vars.palette.background.paper})`,
      color: theme.vars.palette.text.primary,
    }
    return {
      border: `1px solid ${main}`,
      backgroundColor: main,
      color: contrastText,
      ...theme.applyStyles('dark', tone === 'error' ? filled : tinted),
    }
  }

/** A button on a filled surface. */
export const onFilledSurface =
  (tone: Tone) =>
  (theme: Theme): CSSObject => {
    const { main, contrastText } = theme.vars.palette[tone]
    const underlined = (colors: CSSObject) => ({
      ...colors,
      '&:hover': { ...colors, textDecoration: 'underline' },
    })
    return {
      ...underlined({ backgroundColor: contrastText, color: main }),
      ...theme.applyStyles(
        'dark',
        underlined(
          tone === 'error'
            ? { backgroundColor: '#FFFFFF', color: INCIDENT_FILL }
            : { backgroundColor: main, color: contrastText },
        ),
      ),
    }
  }
