import { cut } from '#contract/kit/cut.ts'
import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'
import { Bar, BarChart as Chart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

import { formatNumber } from '../time/formats.ts'
import { visuallyHidden } from './visuallyHidden.ts'

const HEIGHT = 240
/** Pixels per bar, for the name below it; the chart scrolls if the bars do not fit. */
const BAR_SPACE = 96
const LONGEST_NAME = 13
const color = (name: string) => `var(--m-palette-${name})`
const TICK = { fill: color('text-secondary'), fontSize: 12 }

interface Props {
  title: string
  /** The text alternative of the chart. */
  text: string
  /** Table headings for names and values. */
  names: string
  values: string
  bars: readonly { readonly id: string; readonly name: string; readonly value: number }[]
}

const shortened = (name: string) =>
  name.length > LONGEST_NAME ? `${cut(name, LONGEST_NAME - 1).trimEnd()}…` : name

/** A bar chart with a table for screen readers. Not animated. */
export function BarChart({ title, text, names, values, bars }: Props) {
  const [locale] = useLocaleState()
  const titleId = useId()
  const number = (value: number) => formatNumber(locale, value)
  const nameOf = new Map(bars.map(({ id, name }) => [id, name]))
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-labelledby={titleId}
      sx={{ position: 'relative', p: 2 }}
    >
      <Typography variant="h3" component="h2" id={titleId} sx={{ mb: 2 }}>
        {title}
      </Typography>
      <Box role="img" aria-label={text} sx={{ overflowX: 'auto', '& *:focus': { outline: 'none' } }}>
        <Box sx={{ height: HEIGHT, minWidth: bars.length * BAR_SPACE }}>
          <ResponsiveContainer>
            <Chart
              data={[...bars]}
              margin={{ top: 8, right: 8, bottom: 0, left: 8 }}
              accessibilityLayer={false}
            >
              <CartesianGrid vertical={false} stroke={color('divider')} />
              <XAxis
                dataKey="id"
                interval={0}
                tick={TICK}
                tickLine={false}
                axisLine={{ stroke: color('divider') }}
                tickFormatter={(id: string) => shortened(nameOf.get(id) ?? '')}
              />
              <YAxis
                allowDecimals={false}
                width="auto"
                tick={TICK}
                tickLine={false}
                axisLine={false}
                tickFormatter={number}
              />
              <Tooltip
                cursor={{ fill: color('action-hover') }}
                isAnimationActive={false}
                labelFormatter={(id) => nameOf.get(id as string)}
                formatter={(value) => [number(Number(value)), values]}
                contentStyle={{
                  background: color('background-paper'),
                  borderColor: color('divider'),
                  borderRadius: 6,
                  maxWidth: 280,
                  whiteSpace: 'normal',
                  overflowWrap: 'anywhere',
                }}
                itemStyle={{ color: color('text-primary') }}
              />
              <Bar
                dataKey="value"
                fill={color('primary-main')}
                maxBarSize={48}
                radius={[4, 4, 0, 0]}
                isAnimationActive={false}
              />
            </Chart>
          </ResponsiveContainer>
        </Box>
      </Box>
      {/* The visually hidden box wraps the table, because a table cannot be narrower than its content. */}
      <Box sx={visuallyHidden}>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{names}</th>
              <th scope="col">{values}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ id, name, value }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </Paper>
  )
}
