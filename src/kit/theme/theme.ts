import { createTheme, type CSSObject, type Theme } from '@mui/material/styles'

import { nonce } from './nonce.ts'
import { PALETTE, type Scheme } from './palette.ts'
import { SCHEME_ATTRIBUTE } from './scheme.ts'

declare module '@mui/material/styles' {
  /** Types `theme.vars`. */
  interface CssThemeVariables {
    enabled: true
  }
  interface Palette {
    privileged: Palette['primary']
  }
  interface PaletteOptions {
    privileged: PaletteOptions['primary']
  }
  interface TypeBackground {
    /** Borders of controls. */
    edge: string
  }
}

const FLOATING = '0 8px 24px rgb(15 19 25 / 16%), 0 0 1px rgb(15 19 25 / 32%)'
/** Radius of controls in pixels; cards and dialogs have the theme's own. */
export const CONTROL_RADIUS = 6
export const HEADER_HEIGHT = 72
export const MENU_WIDTH = 240
export const MENU_WIDTH_COLLAPSED = 72

function paletteOf(scheme: Scheme) {
  const { background, surface, line, edge, text, secondary, onColor, ...colors } = PALETTE[scheme]
  const fill = (main: string, contrastText: string = onColor) => ({ main, contrastText })
  return {
    background: { default: background, paper: surface, edge },
    divider: line,
    text: { primary: text, secondary },
    primary: fill(colors.action),
    secondary: fill(secondary),
    info: fill(colors.action),
    error: fill(colors.incident),
    warning: fill(colors.exercise),
    success: fill(colors.safe),
    privileged: fill(colors.privileged, '#FFFFFF'),
  }
}

const focusRing = (theme: Theme): CSSObject => ({
  '&.Mui-focusVisible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
})
const floating = ({ vars }: Theme): CSSObject => ({
  border: `1px solid ${vars.palette.divider}`,
  boxShadow: FLOATING,
})
const labelled = ({ vars: { palette } }: Theme): CSSObject => ({
  fontSize: '0.875rem',
  fontWeight: 600,
  color: palette.text.primary,
  '&.Mui-focused, &.Mui-error': { color: palette.text.primary },
  '&.Mui-disabled': { color: palette.text.secondary },
})
/** Extends a small button's touch target to 44 px without taking space in the layout. */
const TOUCH_TARGET = {
  '@media (pointer: coarse)': {
    '&::after': { content: '""', position: 'absolute', inset: 'min(0px, 50% - 22px)' },
  },
}

const text = (size: number, weight = 400, lineHeight = 1.5) => ({
  fontSize: `${size / 16}rem`,
  fontWeight: weight,
  lineHeight,
  letterSpacing: size >= 20 ? '-0.01em' : 0,
})

const OPTIONS: Parameters<typeof createTheme>[0] = {
  cssVariables: { cssVarPrefix: 'm', colorSchemeSelector: SCHEME_ATTRIBUTE },
  colorSchemes: { light: { palette: paletteOf('light') }, dark: { palette: paletteOf('dark') } },
  shape: { borderRadius: 8 },
  spacing: 8,
  shadows: ['none', ...Array.from({ length: 24 }, () => FLOATING)] as Theme['shadows'],
  typography: {
    fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
    fontSize: 14,
    fontWeightMedium: 600,
    fontWeightBold: 600,
    h1: text(24, 600, 1.25),
    h2: text(20, 600, 1.3),
    h3: text(16, 600, 1.4),
    h4: text(14, 600),
    h5: text(14, 600),
    h6: text(14, 600),
    subtitle1: text(16),
    subtitle2: text(14, 600),
    body1: text(14),
    body2: text(14),
    caption: text(12),
    overline: { ...text(12, 600), textTransform: 'none' },
    button: { ...text(14, 600, 1.4), textTransform: 'none' },
  },
  transitions: {
    duration: {
      shortest: 120,
      shorter: 140,
      short: 160,
      standard: 180,
      complex: 200,
      enteringScreen: 180,
      leavingScreen: 140,
    },
  },
  components: {
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      styleOverrides: { root: ({ theme: current }) => focusRing(current) },
    },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: { borderRadius: CONTROL_RADIUS, minHeight: 36, ...TOUCH_TARGET },
        sizeLarge: { minHeight: 44, fontSize: '1rem' },
      },
    },
    MuiIconButton: { styleOverrides: { root: { borderRadius: CONTROL_RADIUS, ...TOUCH_TARGET } } },
    MuiSvgIcon: { styleOverrides: { root: { fontSize: '1.25rem' } } },
    MuiPaper: {
      defaultProps: { elevation: 0 },
      styleOverrides: { root: { backgroundImage: 'none' } },
    },
    MuiCard: {
      defaultProps: { variant: 'outlined' },
    },
    MuiDialog: {
      defaultProps: { fullWidth: true, maxWidth: 'sm' },
      styleOverrides: {
        paper: ({ theme: current }) => ({ border: `1px solid ${current.vars.palette.divider}` }),
      },
    },
    MuiDialogTitle: { styleOverrides: { root: { fontSize: '1.25rem', fontWeight: 600, paddingBottom: 8 } } },
    MuiDialogActions: { styleOverrides: { root: { padding: '8px 24px 24px', gap: 8 } } },
    MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
    MuiFormControl: { defaultProps: { size: 'small' } },
    // The label of a group of choices looks as that of a field.
    MuiFormLabel: { styleOverrides: { root: ({ theme: current }) => labelled(current) } },
    // Labels are above their field and never move.
    MuiInputLabel: {
      defaultProps: { shrink: true, disableAnimation: true },
      styleOverrides: {
        root: ({ theme: current }) => ({
          position: 'static',
          transform: 'none',
          maxWidth: 'none',
          marginBottom: 4,
          whiteSpace: 'normal',
          ...labelled(current),
        }),
      },
    },
    MuiOutlinedInput: {
      defaultProps: { notched: false },
      styleOverrides: {
        root: ({ theme: current }) => ({
          borderRadius: CONTROL_RADIUS,
          backgroundColor: current.vars.palette.background.paper,
          // Phones zoom into fields with a smaller font.
          [current.breakpoints.down('sm')]: { fontSize: '1rem', minHeight: 44 },
        }),
        notchedOutline: ({ theme: current }) => ({
          top: 0,
          borderColor: current.vars.palette.background.edge,
          '& legend': { display: 'none' },
        }),
      },
    },
    MuiFormHelperText: { styleOverrides: { root: { marginLeft: 0, marginRight: 0 } } },
    MuiSkeleton: {
      styleOverrides: {
        root: ({ theme: current }) => ({
          backgroundColor: current.vars.palette.divider,
          '@media (forced-colors: active)': { border: '1px dashed GrayText' },
        }),
      },
    },
    // Forced colours take the background of the line below the selected tab.
    MuiTabs: {
      styleOverrides: {
        indicator: {
          '@media (forced-colors: active)': { backgroundColor: 'Highlight', forcedColorAdjust: 'none' },
        },
      },
    },
    // A long action goes below the message where there is no room beside it.
    MuiAlert: {
      styleOverrides: {
        root: { flexWrap: 'wrap' },
        message: { flex: '1 1 8rem', overflowWrap: 'anywhere' },
        action: { whiteSpace: 'nowrap' },
      },
    },
    MuiTooltip: { defaultProps: { enterDelay: 400 } },
    MuiChip: { styleOverrides: { root: { borderRadius: CONTROL_RADIUS, fontWeight: 600 } } },
    MuiLink: { defaultProps: { underline: 'hover' } },
    MuiListItemButton: { styleOverrides: { root: { borderRadius: CONTROL_RADIUS } } },
    // Floating surfaces need a border and a shadow: in the dark scheme they have the colour of the page.
    MuiPopover: { styleOverrides: { paper: ({ theme: current }) => floating(current) } },
    MuiAutocomplete: { styleOverrides: { paper: ({ theme: current }) => floating(current) } },
    // The grid's types are not imported here; this default applies when the grid's chunk loads.
    ...({ MuiDataGrid: { defaultProps: { nonce } } } as object),
  },
}

let theme: Theme | undefined
/**
 * The light and dark theme, created at the first call. Its colours are CSS variables, so that a change of
 * scheme renders nothing.
 */
export const getTheme = (): Theme => (theme ??= createTheme(OPTIONS))
