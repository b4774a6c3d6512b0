import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Scrolled } from '../scrolled.tsx';
import { downloadPng } from './download.ts';

interface ChartProps {
  readonly title: string;
  /** What it shows in words, for whoever does not see it. */
  readonly told: string;
  readonly width: number;
  readonly height: number;
  /** What colours stand for. */
  readonly legend?: readonly (readonly [colour: string, text: string])[];
  readonly children: ComponentChildren;
}

/** A drawing with its title and legend, to be taken along as a PNG. */
export function Chart({ title, told, width, height, legend = [], children }: ChartProps) {
  const drawing = useRef<SVGSVGElement>(null);
  return (
    <>
      <h2>{title}</h2>
      <Scrolled label={title}>
        <svg
          ref={drawing}
          class="chart"
          role="img"
          aria-label={told}
          width={width}
          height={height + legend.length * 20}
        >
          {children}
          {legend.map(([colour, text], i) => (
            <g transform={`translate(8 ${height + i * 20})`}>
              <rect width="12" height="12" fill={colour} />
              <text x="20" y="11">
                {text}
              </text>
            </g>
          ))}
        </svg>
      </Scrolled>
      <button type="button" onClick={() => drawing.current && downloadPng(`${title}.png`, drawing.current)}>
        {title} as PNG
      </button>
    </>
  );
}
