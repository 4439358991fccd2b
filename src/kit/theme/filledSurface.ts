import type { CSSObject, Theme } from '@mui/material/styles'

export type Tone = 'error' | 'warning' | 'success'

/**
 * A surface for the current state: filled in the light scheme; tinted and framed in the dark one, where a filled
 * surface would glare.
 */
export const filledSurface =
  (tone: Tone) =>
  (theme: Theme): CSSObject => {
    const { main, contrastText } = theme.vars.palette[tone]
    return {
      border: `1px solid ${main}`,
      backgroundColor: main,
      color: contrastText,
      ...theme.applyStyles('dark', {
        backgroundColor: `color-mix(in srgb, ${main} 18%, ${theme.vars.palette.background.paper})`,
        color: theme.vars.palette.text.primary,
      }),
    }
  }

/** A button on a filled surface. */
export const onFilledSurface =
  (tone: Tone) =>
  (theme: Theme): CSSObject => {
    const { main, contrastText } = theme.vars.palette[tone]
    const light = { backgroundColor: contrastText, color: main }
    const dark = { backgroundColor: main, color: contrastText }
    return {
      ...light,
      '&:hover': { ...light, textDecoration: 'underline' },
      ...theme.applyStyles('dark', { ...dark, '&:hover': { ...dark, textDecoration: 'underline' } }),
    }
  }
