import Paper from '@mui/material/Paper'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useLocaleState } from 'react-admin'

import type { Figures, FiguresGroup, IncidentFigures, Span } from '#contract/incident-figures/schema.ts'
import { CSV_FORMULA } from '#contract/kit/files.ts'
import { incidentFigures as words, type Measure } from '#providers/i18n/incident-figures.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { formatNumber } from '#src/kit/time/formats.ts'

import { minutesInWords } from '../command/durationWords.ts'

export type GroupName = keyof typeof words.groups
export type NameOf = (by: GroupName, group: FiguresGroup) => string
const MEASURES = Object.keys(words.measures) as Measure[]

const inWords = (minutes: number | undefined) =>
  minutes === undefined ? '–' : minutesInWords(Math.round(minutes))
function Spans({ span }: { span: Span }) {
  return (
    <>
      <TableCell align="right">{inWords(span?.median)}</TableCell>
      <TableCell align="right">{inWords(span?.most)}</TableCell>
    </>
  )
}

function Row({ name, figures }: { name: string; figures: Figures }) {
  const [locale] = useLocaleState()
  return (
    <TableRow>
      <TableCell component="th" scope="row" dir="auto" sx={{ minWidth: 96, overflowWrap: 'anywhere' }}>
        {name}
      </TableCell>
      <TableCell align="right">{formatNumber(locale, figures.count)}</TableCell>
      {MEASURES.map((measure) => (
        <Spans key={measure} span={figures[measure]} />
      ))}
    </TableRow>
  )
}

interface Props {
  figures: IncidentFigures
  by: GroupName
  nameOf: NameOf
}
/** All times of a group, and of everything. It can be scrolled where it does not fit. */
export function FiguresTable({ figures, by, nameOf }: Props) {
  return (
    <TableContainer component={Paper} variant="outlined" tabIndex={0} role="region" aria-label={words.table}>
      <Table size="small" sx={{ '& th, & td': { whiteSpace: 'nowrap' } }}>
        <TableHead>
          <TableRow>
            <TableCell rowSpan={2}>{words.groups[by]}</TableCell>
            <TableCell rowSpan={2} align="right">
              {words.count}
            </TableCell>
            {MEASURES.map((measure) => (
              <TableCell key={measure} colSpan={2} align="center" scope="colgroup">
                {words.measures[measure]}
              </TableCell>
            ))}
          </TableRow>
          <TableRow>
            {MEASURES.flatMap((measure) => [
              <TableCell key={`${measure} median`} align="right">
                {words.median}
              </TableCell>,
              <TableCell key={`${measure} most`} align="right">
                {words.most}
              </TableCell>,
            ])}
          </TableRow>
        </TableHead>
        <TableBody>
          {figures[by].map((group) => (
            <Row key={group.key} name={nameOf(by, group)} figures={group} />
          ))}
          <Row name={words.all} figures={figures.all} />
        </TableBody>
      </Table>
    </TableContainer>
  )
}

/** Saves all groups as CSV, with times in minutes. */
export async function saveFigures(figures: IncidentFigures, nameOf: NameOf, fileName: string): Promise<void> {
  const { default: Papa } = await import('papaparse')
  const fields = [
    words.group,
    '',
    words.count,
    ...MEASURES.flatMap((measure) => [
      `${words.measures[measure]}: ${words.median} (min)`,
      `${words.measures[measure]}: ${words.most} (min)`,
    ]),
  ]
  const valuesOf = ({ count, ...spans }: Figures) => [
    count,
    ...MEASURES.flatMap((measure): (string | number)[] => {
      const span = spans[measure]
      return span ? [Math.round(span.median), Math.round(span.most)] : ['', '']
    }),
  ]
  const data = [
    [words.all, '', ...valuesOf(figures.all)],
    ...(Object.keys(words.groups) as GroupName[]).flatMap((by) =>
      figures[by].map((group) => [words.groups[by], nameOf(by, group), ...valuesOf(group)]),
    ),
  ]
  const csv = Papa.unparse({ fields, data }, { escapeFormulae: CSV_FORMULA })
  // The mark at the start tells spreadsheets how its letters are written.
  saveFile(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }), fileName)
}
