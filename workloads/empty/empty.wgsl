/* Does nothing. */
@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)
fn empty() {
}
