import type { NewPlaybookActivity } from '#contract/playbooks/schema.ts'

const heading = (title: string): NewPlaybookActivity => ({
  type: 'HEADING',
  title,
  description: '',
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  attachedFileIds: [],
})
/** A task for a role, with its usual duration in minutes. */
const task = (
  title: string,
  description: string,
  idealTitleToExecute: string,
  expectedTimeToComplete: number,
  priority: NewPlaybookActivity['priority'] = 'MEDIUM',
): NewPlaybookActivity => ({
  ...heading(title),
  type: 'TASK',
  description,
  priority,
  idealTitleToExecute,
  expectedTimeToComplete,
})

export const CATEGORY = 'Fleet and terminals'

/** Playbooks of the demonstration organisation. */
export const PLAYBOOKS: readonly {
  readonly name: string
  readonly description: string
  readonly activities: NewPlaybookActivity[]
}[] = [
  {
    name: 'A ship cannot sail',
    description:
      'A ferry is out of service shortly before or during its day.\nPassengers come first: nobody waits at a gate without being told why and for how long.',
    activities: [
      heading('First 15 minutes'),
      task(
        'Confirm with the master that the ship stays at berth',
        'Ask for the reason, the persons on board and whether anybody is hurt.\nWrite down the time of the call.',
        'Duty officer',
        5,
        'HIGH',
      ),
      task(
        'Stop boarding and close the vehicle lanes',
        'Keep the emergency lane free. Tell the lane staff what passengers may be told.',
        'Terminal manager',
        10,
        'HIGH',
      ),
      task(
        'Inform the harbour master',
        'The berth stays taken. Agree until when, and who calls whom next.',
        'Duty officer',
        5,
      ),
      heading('First hour'),
      task(
        'Decide on a replacement',
        'Move a ship, charter one, or cancel. Decide by what crew hours and the tide allow, not by the timetable.',
        'Head of marine operations',
        30,
        'HIGH',
      ),
      task(
        'Tell passengers what happens next',
        'Text message, boards and announcements say the same: the reason, the next decision and its time.',
        'Communications lead',
        15,
        'HIGH',
      ),
      task(
        'Look after those who wait',
        'Water, shelter and a seat. Ask for people with medicine to take, small children and live animals on the car deck.',
        'Customer care lead',
        30,
      ),
      heading('Before the ship sails again'),
      task(
        'Have the repair accepted',
        'The class surveyor or the chief engineer signs. Attach the record.',
        'Fleet engineer',
        120,
      ),
      task(
        'Close the books on the day',
        'Refunds, crew hours and the log. Note what took longer than this playbook says.',
        'Duty officer',
        60,
        'LOW',
      ),
    ],
  },
  {
    name: 'Evacuation of a terminal',
    description:
      'Smoke, gas, a threat or a structure that is not safe: everybody leaves the building and stays out until the fire service gives it back.',
    activities: [
      heading('Get everybody out'),
      task(
        'Sound the alarm and call 911',
        'Say the terminal, the gate for the fire service and what is known. Do not wait until you are sure.',
        'Terminal manager',
        2,
        'HIGH',
      ),
      task(
        'Send ships away from the berths',
        'Boarded ships cast off when that is safe; arriving ships hold outside.',
        'Duty officer',
        10,
        'HIGH',
      ),
      task(
        'Sweep the building floor by floor',
        'Two people for each floor. Toilets, lifts and the staff rooms last. Report each floor as clear by radio.',
        'Floor wardens',
        10,
        'HIGH',
      ),
      heading('Know who is missing'),
      task(
        'Count at the assembly points',
        'Staff by the shift list, contractors by the gate book, passengers by the boarding count.',
        'Floor wardens',
        15,
        'HIGH',
      ),
      task(
        'Hand the list to the fire service',
        'Names and where they were last seen. Stay with the officer in charge.',
        'Terminal manager',
        5,
        'HIGH',
      ),
      heading('Afterwards'),
      task(
        'Take people somewhere warm',
        'Buses to the other terminal. Keep families together.',
        'Customer care lead',
        45,
      ),
      task(
        'Go back in only when it is released',
        'The fire service releases the building in writing. Walk the floors before passengers return.',
        'Terminal manager',
        30,
      ),
    ],
  },
]
