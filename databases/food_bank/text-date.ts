const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An ISO date as the clerks write it: `12 Mar 2024`, the day without a leading zero. */
export function textDate(isoDate: string): string {
  const [year = '', month = '', day = ''] = isoDate.split('-');
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}
