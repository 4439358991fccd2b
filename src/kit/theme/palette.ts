/** All colours of the product. Colour is information: there are no others. */
export const PALETTE = {
  light: {
    background: '#F7F8FA',
    surface: '#FFFFFF',
    line: '#E3E6EB',
    /** Borders of controls. */
    edge: '#838D9A',
    text: '#14181F',
    secondary: '#55606F',
    action: '#1F5FD6',
    incident: '#C62828',
    exercise: '#9A5B00',
    safe: '#1B7F4B',
    /** Text on any of the colours above. */
    onColor: '#FFFFFF',
    privileged: '#8E1538',
  },
  dark: {
    background: '#0F1319',
    surface: '#171C24',
    line: '#2A313C',
    edge: '#6C7888',
    text: '#E8ECF2',
    secondary: '#9AA6B5',
    action: '#7FA9FF',
    incident: '#FF8A80',
    exercise: '#FFB74D',
    safe: '#6FD39E',
    onColor: '#0F1319',
    privileged: '#E85D83',
  },
} as const
export type Scheme = keyof typeof PALETTE

/** Incident red of a filled surface, with white text in both schemes. */
export const INCIDENT_FILL = PALETTE.light.incident
/** Header of a privileged room, with white text in both schemes. */
export const PRIVILEGED_HEADER = '#8E1538'
/** Backgrounds of initials with white text: hues without another meaning. */
export const AVATAR_COLORS = [
  '#3F5B8C',
  '#4A5A6E',
  '#5B4B8A',
  '#2F6578',
  '#6B4A7B',
  '#47607A',
  '#54606F',
  '#475CA0',
] as const

const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const luminance = (hex: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
/** Contrast ratio of two colours (WCAG 2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}
