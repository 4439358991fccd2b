import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { AVATAR_COLORS, contrast, INCIDENT_FILL, PALETTE, PRIVILEGED_HEADER, type Scheme } from './palette.ts'

const schemes: Scheme[] = ['light', 'dark']
const texts = ['text', 'secondary', 'action', 'incident', 'exercise', 'safe', 'privileged'] as const

describe.each(schemes)('%s', (scheme) => {
  const palette = PALETTE[scheme]
  it.each(texts)('%s can be read on every surface', (text) => {
    expect(contrast(palette[text], palette.surface)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette[text], palette.background)).toBeGreaterThanOrEqual(4.5)
  })
  it.each(['action', 'incident', 'exercise', 'safe'] as const)('text can be read on %s', (colour) => {
    expect(contrast(palette.onColor, palette[colour])).toBeGreaterThanOrEqual(4.5)
  })
  it('edges of controls can be seen', () => {
    expect(contrast(palette.edge, palette.surface)).toBeGreaterThanOrEqual(3)
    expect(contrast(palette.edge, palette.background)).toBeGreaterThanOrEqual(3)
  })
  it('is what the style sheet says that holds before the theme', () => {
    const css = readFileSync(join(import.meta.dirname, 'base.css'), 'utf8')
    for (const name of ['background', 'text', 'action'] as const)
      expect(css).toMatch(new RegExp(`--${name}-${scheme}: ${palette[name]};`, 'i'))
  })
})

it('white can be read on an incident, a privileged header and initials', () => {
  for (const colour of [INCIDENT_FILL, PRIVILEGED_HEADER, ...AVATAR_COLORS])
    expect(contrast('#FFFFFF', colour)).toBeGreaterThanOrEqual(4.5)
})
