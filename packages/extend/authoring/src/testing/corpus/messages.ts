import { between, file, oneOf, type Topic } from './topic.ts';

/** Facts in messages: values, unknown ones, bounds; and the order of reasons. */
export function messageTopics(): Topic[] {
  const always = { any: [{ fact: 'dwelling_a', operator: 'greaterThan', value: 0 }, { all: [] }] };
  const quoting = (id: string, message: string, rest: object = {}) => ({
    id,
    outcome: 'refer',
    code: `x_${id}`,
    message,
    when: always,
    ...rest,
  });
  return [
    {
      name: 'messages/quoted-facts',
      files: [
        file([
          quoting('money', 'Coverage A is {dwelling_a}.'),
          quoting('age', 'The home is {home_age} years old, the roof {roof_age}.'),
          quoting('word', 'The roof is {roof_type}.'),
          quoting('distance', '{distance_to_coast_miles} miles, {distance_to_coast_feet} feet.'),
          quoting('place', '{county}, {state}, {policy_type}.'),
        ]),
      ],
      homes: [
        {
          about: 'all is known',
          values: {
            dwelling_a: 285_000,
            year_built: 1987,
            roof_year: 2004,
            roof_type: '3-tab shingle',
            distance_to_tidal_water_meters: 1609.344,
          },
        },
        { about: 'nothing is known', values: {}, counties: undefined },
        {
          about: 'bounds, and words it may be',
          values: {
            dwelling_a: between(200_000, 300_000),
            year_built: between(1980, 1990),
            roof_type: oneOf('slate', 'tile'),
            distance_to_tidal_water_meters: between(1_000, 2_000),
          },
        },
      ],
    },
    {
      name: 'messages/order',
      files: [
        file([quoting('first', 'One.'), quoting('second', 'Two.'), quoting('third', 'Three.', { outcome: 'decline' })]),
      ],
      homes: [{ about: 'reasons in the order of the file', values: { dwelling_a: 1 } }],
    },
  ];
}
