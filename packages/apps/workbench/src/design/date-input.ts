/** Attributes of an input for a date. Without a maximum, browsers accept years of six digits. */
export const dateInput = { type: 'date' as 'text', max: '9999-12-31' };
