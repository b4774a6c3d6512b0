/** Words of everyday English that questions and catalogs use for the same thing, one line each. */
export const SAME_WORDS: readonly (readonly string[])[] = `
count number many
highest most largest biggest greatest maximum max top best
lowest least smallest fewest minimum min bottom worst
oldest earliest
youngest latest newest recent
average mean
percent percentage proportion ratio rate fraction share
sum total overall altogether
difference gap
film movie
country nation nationality
city town
woman women female girl lady
man men male boy
gender sex
price cost expensive cheap
salary income earn wage pay
phone telephone
email mail
website url link webpage
height tall
weight heavy
age old
birthday birth born dob
postal zip
teacher instructor lecturer professor
student pupil
car vehicle automobile
picture image photo
song track music
begin start
end finish
job profession occupation
author writer
hire employ
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));
