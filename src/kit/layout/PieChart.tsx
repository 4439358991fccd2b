import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'
import { Cell, Pie, PieChart as Chart } from 'recharts'

import { formatNumber } from '../time/formats.ts'

const SIZE = 144

export interface Slice {
  readonly name: string
  readonly value: number
  /** A colour of the theme's palette. */
  readonly color: 'success-main' | 'warning-main' | 'error-main' | 'primary-main' | 'divider'
}
interface Props {
  title: string
  /** Text in place of a chart without values. */
  empty: string
  slices: readonly Slice[]
}

const colorOf = ({ color }: Slice) => `var(--m-palette-${color})`

/** A pie chart with a legend that has the numbers. Not animated. */
export function PieChart({ title, empty, slices }: Props) {
  const [locale] = useLocaleState()
  const titleId = useId()
  const isEmpty = slices.every(({ value }) => value === 0)
  return (
    <Box component="section" aria-labelledby={titleId}>
      <Typography variant="h3" id={titleId} sx={{ mb: 1 }}>
        {title}
      </Typography>
      {isEmpty ? (
        <Typography sx={{ color: 'text.secondary' }}>{empty}</Typography>
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Box aria-hidden sx={{ '& *:focus': { outline: 'none' } }}>
            <Chart width={SIZE} height={SIZE} accessibilityLayer={false}>
              <Pie
                data={slices.filter(({ value }) => value > 0)}
                dataKey="value"
                nameKey="name"
                innerRadius={40}
                outerRadius={70}
                startAngle={90}
                endAngle={-270}
                stroke="var(--m-palette-background-paper)"
                isAnimationActive={false}
              >
                {slices
                  .filter(({ value }) => value > 0)
                  .map((slice) => (
                    <Cell key={slice.name} fill={colorOf(slice)} />
                  ))}
              </Pie>
            </Chart>
          </Box>
          <Box
            component="dl"
            sx={{
              m: 0,
              display: 'grid',
              gridTemplateColumns: 'auto auto',
              columnGap: 2,
              rowGap: 0.5,
              '& dt': { display: 'flex', alignItems: 'center', gap: 1 },
              '& dd': { m: 0, fontWeight: 600, textAlign: 'end' },
            }}
          >
            {slices.map((slice) => (
              <Box key={slice.name} sx={{ display: 'contents' }}>
                <dt>
                  <Box
                    component="span"
                    sx={{
                      width: 12,
                      height: 12,
                      borderRadius: '3px',
                      bgcolor: colorOf(slice),
                      border: 1,
                      borderColor: 'background.edge',
                    }}
                  />
                  {slice.name}
                </dt>
                <dd>{formatNumber(locale, slice.value)}</dd>
              </Box>
            ))}
          </Box>
        </Box>
      )}
    </Box>
  )
}
