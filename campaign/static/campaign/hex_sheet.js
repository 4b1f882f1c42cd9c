/* Where the hexes of the map lie on its sheet. */

export const number = (hex) => String(hex).padStart(4, "0");

export class Sheet {
  /* The places of hexes on the sheet; even columns stand half a hex lower. */
  constructor(data) {
    this.column = +data.column;
    this.row = +data.row;
    this.columns = +data.columns;
    this.rows = +data.rows;
  }

  centre(hex) {
    const column = Math.floor(hex / 100);
    const lower = column % 2 ? 1 : 2;
    return [this.column * (column + 2 / 3), this.row * ((hex % 100) + lower / 2)];
  }

  at(x, y) {
    const first = Math.floor(x / this.column) - 1;
    const near = [first, first + 1].map((column) => {
      const lower = column % 2 ? 1 : 2;
      const row = Math.round(y / this.row - lower / 2);
      const off = Math.hypot(x - this.column * (column + 2 / 3), y - this.row * (row + lower / 2));
      return { column, row, off };
    });
    const { column, row } = near[0].off < near[1].off ? near[0] : near[1];
    const there = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
    return there ? column * 100 + row : null;
  }

  outline(hex) {
    const [x, y] = this.centre(hex);
    const [corner, half] = [this.column / 3, this.row / 2];
    return `M${x - corner} ${y - half}h${2 * corner}l${corner} ${half}-${corner} ${half}h${-2 * corner}l-${corner}-${half}z`;
  }
}
