import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

import { first, later, next, phase } from './starter.content.ts'

const LEAD = 'Incident lead'
const WARDEN = 'Floor warden'
const SAFETY = 'Site safety officer'
const FACILITIES = 'Facilities manager'
const PEOPLE = 'Human resources lead'
const COMMS = 'Communications lead'
const RECEPTION = 'Reception'

export const SITE_EVACUATION: StarterPlaybook = {
  id: 'site-evacuation',
  name: 'Site evacuation',
  purpose: 'People have to leave a building or a site: fire, gas, flood, threat, structural damage.',
  description:
    'People first. Nothing in the building is worth an injury. When in doubt, evacuate: nobody will reproach you for an alarm too many. Call the emergency services yourself, do not assume that somebody has. Walk, do not run; no elevators in a fire; take people along, not things. At the assembly point count who is there and who is missing, and tell the fire service at once. Nobody goes back in before the fire service or the police allows it.',
  activities: [
    phase('First 5 minutes: get people out'),
    first('Raise the alarm', 'Press the nearest call point, or have the announcement made. If it fails, go from room to room and shout. Say what to do, not what is wrong: “Leave the building now by the nearest exit.”', { role: 'Anybody who sees it', minutes: 1 }),
    first('Call the emergency services', 'Where, what, how many people, who is calling, then wait for questions. Give the gate that they should use. Note the time of the call.', { role: RECEPTION, minutes: 3 }),
    first('Clear each floor', 'Look into all rooms, toilets, quiet rooms, server rooms. Close doors behind you, lock none. Do not go where there is smoke. Report each floor as clear or not clear.', { role: WARDEN, minutes: 5 }),
    first('Help those who cannot leave alone', 'Wheelchair, injury, pregnancy, panic, visitors who do not know the building. Two helpers each; use the evacuation chair or the safe waiting place, and tell the fire service exactly where they are.', { role: WARDEN, minutes: 5 }),
    first('Stop dangerous work, only where it takes seconds', 'Emergency stop of machines, gas valve, kitchen. If it takes longer, leave it.', { role: 'Shift supervisor', minutes: 2 }),
    phase('First 15 minutes: count and hand over'),
    first('Count everybody at the assembly point', 'By team, with visitor list, shift plan and contractors. Write down names of those who are missing and where they were last seen. “I think she is on leave” counts as missing.', { role: WARDEN, minutes: 10 }),
    first('Meet the fire service at the gate', 'Wear the vest. Say: who is missing and where, what burns or leaks, what dangerous substances there are, where plans and keys are. Then do what they say.', { role: SAFETY, minutes: 10 }),
    first('Give first aid and have the injured recorded', 'Name, injury, time, hospital. One person stays with each of them. Tell nobody’s name to the outside.', { role: 'First aider', minutes: 15 }),
    first('Move the assembly point if it is not safe', 'Upwind from smoke and gas, away from glass and from access ways. With a bomb threat at least 300 meters away and not at the usual place. Count again afterwards.', { role: SAFETY, minutes: 10 }),
    first('Keep everybody out', 'A person at each entrance. No jackets, no laptops, no cars from the garage. Only the fire service or the police opens the building again; note who did and when.', { role: SAFETY, minutes: 15 }),
    phase('First hour: lead'),
    first('Name the incident lead, away from the noise', 'One person leads, one keeps the log. Agree who talks with the emergency services: one person only.', { role: 'Most senior person on site', minutes: 5 }),
    first('Reach those who were not on site', 'Home office, travelling, next shift, deliveries. Send one notification: stay away, who to ask, when the next message comes. Check who has not answered.', { role: PEOPLE, minutes: 20 }),
    first('Tell people at the assembly point what is known', 'Every 20 minutes, also when there is nothing new. Say what happens next and when they can leave. Take no questions about guilt.', { role: LEAD, minutes: 10 }),
    next('Get them warm, dry and off the street', 'Buses, a neighbor’s hall, a hotel. Water, blankets, toilets, phones. Think of medicine, glasses, keys and children to be fetched that are now inside.', { role: FACILITIES, minutes: 45 }),
    next('Inform families of injured people', 'In person or by a call of somebody they trust, before anything is published. Record who was reached and when. Deaths are told by the police.', { role: PEOPLE, minutes: 30 }),
    next('Inform neighbors, landlord and authorities', 'Those who may be in danger, too, first. For substances that got out, reporting duties may apply at once: ask counsel or the safety officer.', { role: SAFETY, minutes: 30 }),
    next('Prepare one statement for press and public', 'What happened, that people come first, who leads, when there is more. No guesses about the cause or about numbers. One spokesperson.', { role: COMMS, minutes: 30 }),
    phase('First four hours: decide about the day'),
    first('Decide who goes home, and how', 'Let nobody drive in shock. Organize rides and lost keys. Write down who left, with a phone number; tell them when they will hear from us.', { role: PEOPLE, minutes: 45 }),
    next('Move urgent work elsewhere', 'Other site, home, partner. Name the three or four services that must run today and who takes care of each. Redirect phones and deliveries.', { role: 'Head of operations', minutes: 60 }),
    next('Secure the building', 'Guard, fence, broken windows, alarm, data carriers and cash. Agree with police and insurer on what must not be touched.', { role: FACILITIES, minutes: 90 }),
    next('Call the insurer', 'Ask what may be cleaned up, and whom they send. Take pictures of all damage before anything is moved. Note the claim number.', { role: FACILITIES, minutes: 30 }),
    phase('Return'),
    first('Have the release in writing', 'Fire service, police, structural engineer, electrician, air measurement: which is needed depends on what happened. Attach it to the incident.', { role: SAFETY, minutes: 60 }),
    next('Walk through before anybody else', 'Exits, alarm, extinguishers, elevators, lights, water, smell. Open floor by floor, and say what stays closed.', { role: FACILITIES, minutes: 90 }),
    next('Welcome people back', 'Short meeting in each team: what happened, what is different now, where help is. Hand out lost things.', { role: 'Line managers', minutes: 30 }),
    phase('Afterwards'),
    next('Offer support to those who need it', 'Talks with trained people in the first days, also for wardens and first aiders. Symptoms often come later: ask again after two and after six weeks.', { role: PEOPLE, minutes: 60 }),
    next('Report accidents at work', 'To the accident insurance and the authority, within their deadlines. Keep log, lists and pictures.', { role: SAFETY, minutes: 45 }),
    later('Look back together within two weeks', 'How long until everybody was out and counted? Who was not reached, which exit was blocked, which list was old? Record who changes what, until when.', { role: SAFETY, minutes: 90 }),
    later('Renew what was used', 'First-aid material, extinguishers, batteries, vests, visitor lists, phone numbers. Then plan the next drill.', { role: FACILITIES, minutes: 60 }),
  ],
} // prettier-ignore
